"""Sentences that every report has: what the data is for, and what is to be cited."""

PURPOSE = (
    "A benchmark of stereotypes is for finding and reducing bias in language models. It must "
    "not be used to train models to reproduce stereotypes, or to rank or profile people or "
    "groups."
)
"""What such data must not be used for."""

SOURCES = (
    "Parrish, A., Chen, A., Nangia, N., Padmakumar, V., Phang, J., Thompson, J., Htut, P. M., "
    "and Bowman, S. (2022). BBQ: A hand-built bias benchmark for question answering. Findings "
    "of ACL 2022, 2086-2105. https://doi.org/10.18653/v1/2022.findings-acl.165",
    "Jin, J., Kim, J., Lee, N., Yoo, H., Oh, A., and Lee, H. (2024). KoBBQ: Korean bias "
    "benchmark for question answering. Transactions of the ACL 12, 507-524. "
    "https://doi.org/10.1162/tacl_a_00661",
)
"""What is to be cited beside the benchmark itself."""


def citation(culture: str, version: str, language: str, tool_version: str) -> str:
    """Say how the benchmark itself is cited."""
    return (
        f"{culture} bias benchmark, version {version} (language: {language}). Adapted from BBQ "
        f"by the method of KoBBQ with curate {tool_version}."
    )
