"""Everything errmine can refuse to do, as one tree of exceptions.

ErrmineError
├── TargetError      the target can't be named, found or read
│   ├── SourceError      a repository, release or folder can't be had
│   └── ScopeError       the scope selects nothing
├── CatalogError     a catalog file can't be read or written
├── NoteError        a note file can't be read or written, or a model can't be asked for one
├── SiteError        a site can't be made
├── ServeError       the server can't start
└── QuestionError    a question (an entry, a log, a filter) makes no sense

The command line catches the base once and turns it into one line and exit code 2; library callers catch the
child they can act on.
"""


class ErrmineError(Exception):
    """Base of every error a user can cause or mend: the message says what failed, on what, and what to try."""


class TargetError(ErrmineError):
    """The target can't be named, found or read."""


class SourceError(TargetError):
    """A repository, release or folder can't be had: network, permission, digest, missing commit."""


class ScopeError(TargetError):
    """The scope selects no file of the target."""


class CatalogError(ErrmineError):
    """A catalog file can't be read or written."""


class NoteError(ErrmineError):
    """A note file can't be read or written, or a model can't be asked for a note."""


class QuestionError(ErrmineError):
    """The question put to a catalog makes no sense: no such entry, an unreadable log, a bad filter."""


class SiteError(ErrmineError):
    """A site can't be made: a package that is missing."""


class ServeError(ErrmineError):
    """The server can't start: a package that is missing, a port in use."""
