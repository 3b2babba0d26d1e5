"""Documents that differ in plain words alone, as the letters of a series do, and may start from each other's files.

What LaTeX generates (.aux, .toc …) is code that a document wrote, and a stranger's code is kept from every other
document. Documents that run the same code and set other words write nothing that the other could not have written
itself, so that one of them may start from what the other's last clean compile generated.

Words are plain where a paragraph begins, outside of every group: lines of letters, digits, spaces and the commonest
punctuation. They are nobody's argument there, and none of their characters can begin or end anything in TeX, unless
code that both have in common makes it do so.
"""

from __future__ import annotations

import hashlib
import posixpath
import re

from texrepair.project import Draft

_PLAIN = re.compile(r"(?!.*_)\w[\w .,;:!?()'’‘“”–—-]*\Z")
_GROUPING = re.compile(r"\\.|%.*|[{}]")


def code(draft: Draft, main: str) -> str:
    """The digest of a draft without its plain words and its main file's name: the same for drafts that differ in
    nothing else."""
    total = hashlib.sha256()
    for path, text in sorted(draft.texts.items(), key=lambda item: (item[0] != main, item[0])):
        kept = _without_words(text) if path == main or path.endswith((".tex", ".ltx")) else text
        name = posixpath.dirname(main) + "/" if path == main else path
        for part in (name, draft.encodings.get(path, ""), kept):
            data = part.encode("utf-8", "surrogatepass")
            total.update(len(data).to_bytes(8, "big") + data)
    return total.hexdigest()


def _without_words(text: str) -> str:
    """The text without the lines of plain words with which paragraphs of its body begin; all of it where braces do not
    pair, since nobody knows then what is in a group."""
    preamble = text.find("\\begin{document}") + 1
    kept, depth, begins = [text[:preamble]], 0, False
    for line in text[preamble:].split("\n"):
        if not line.strip():
            begins = True
        elif begins and depth == 0 and _PLAIN.match(line):
            continue
        else:
            begins = False
            braces = "{" in line or "}" in line
            for found in _GROUPING.findall(line) if braces else ():
                depth += (found == "{") - (found == "}")
                if depth < 0:
                    return text
        kept.append(line)
    return "\n".join(kept) if depth == 0 else text
