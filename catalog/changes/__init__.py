"""How changes are chosen, and how they are told: on a terminal, in Markdown, as JSON, as annotations."""
