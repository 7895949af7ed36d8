"""Reading what a user writes: command lines, calls, objects of options."""
