"""Harnesses in virtual environments of their own."""

from made_once import locked, make_environment, place

VERSIONS = {"lm-eval": "0.4.13", "inspect-ai": "0.3.285"}
_WANTED = {
    "lm-eval": ["lm-eval[api]==0.4.13"],
    "inspect-ai": ["inspect-ai==0.3.285", "openai>=2"],
}


def prepare(name):
    """Make the environment of a harness where it is missing; gives the folder of its programs.

    Raises:
        CannotInstallError: If that cannot be done here.
    """
    folder = place(name, VERSIONS[name])
    with locked(folder):
        if not (folder / "complete").exists():
            make_environment(folder, _WANTED[name], 1200)
            (folder / "complete").touch()
    return folder / "bin"
