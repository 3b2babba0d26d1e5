"""The exception tree. A document that fails is data, never one of these: texrepair itself could not do its work.

TexrepairError
    ProjectError          the input is no LaTeX project (exit status 65)
        InputNotFound     the input does not exist (66)
    SettingsError         wrong usage: a setting's name or value (64)
    SandboxError          the sandbox itself failed, or none works here (69)
        EngineMissing     a program that the build needs is not installed (69)
    ModelError            the model could not be asked, or its answer cannot be used
        ModelUnavailable  the server is down, slow or overloaded: asking again later may help
        ModelRefused      the server understood and said no (key, quota, policy)
            ContextTooSmall   the question is longer than the model's context
        ModelReplyInvalid an answer came, and it is not one
    ChangedMeanwhile      a file is no longer what was loaded, so it was not written over (1)
"""


class TexrepairError(Exception):
    """Something that texrepair needs is missing or wrong; the message says what happened and what to do."""

    exit_code = 1


class ProjectError(TexrepairError):
    """The input is not a LaTeX project."""

    exit_code = 65


class InputNotFound(ProjectError):
    """The input does not exist or cannot be read."""

    exit_code = 66


class SettingsError(TexrepairError):
    """A setting or an argument has a name or value that texrepair does not know."""

    exit_code = 64


class SandboxError(TexrepairError):
    """The sandbox failed, or no sandbox works on this machine."""

    exit_code = 69


class EngineMissing(SandboxError):
    """A program that the build needs is not installed."""


class ModelError(TexrepairError):
    """The model could not be asked, or what came back cannot be used."""

    exit_code = 5


class ModelUnavailable(ModelError):
    """The model's server is down, slow or overloaded."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait
        """Seconds that the server asked to wait before the next try, or None."""


class ModelRefused(ModelError):
    """The model's server refused the request."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status, where there was one."""


class ContextTooSmall(ModelRefused):
    """The question is longer than the model's context: a shorter one may be answered."""


class ModelReplyInvalid(ModelError):
    """What came back is not an answer."""


class ChangedMeanwhile(TexrepairError):
    """A source changed on the disk after it was loaded; nothing was written over it."""
