"""The blocks of a document that show commands or their output. A document is a file of Markdown, or a notebook's text."""

import json
import re
from dataclasses import dataclass

CODE = {"cpp"}  # read, never typed; other tests compile the programs among them


@dataclass
class Block:
    place: str
    language: str
    lines: list

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


def text_of(path):
    """The Markdown of a document."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    return "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")


def fenced(path, name):
    """Fenced blocks. An indented block must not hold commands, because the tests would not run
    them."""
    blocks, open_block = [], None
    for number, line in enumerate(text_of(path).splitlines(), 1):
        if line.startswith("```"):
            if open_block is None:
                open_block = Block(f"{name}:{number}", line[3:].strip(), [])
            else:
                blocks.append(open_block)
                open_block = None
        elif open_block is not None:
            open_block.lines.append(line)
        elif re.match(r"    (RANK=|tacit |cmake |ctest |\$ |tools/\w+$)", line):
            raise SystemExit(f"{name}:{number}: commands belong between ```: {line.strip()}")
    if open_block is not None:
        raise SystemExit(f"{open_block.place}: ``` is not closed")
    return [block for block in blocks if block.language not in CODE]


def broken_links(path):
    """Links to files that are not there. Links to other sites are not followed."""
    text = re.sub(r"^```.*?^```", "", text_of(path), flags=re.MULTILINE | re.DOTALL)
    targets = [found[1].split("#")[0] for found in re.finditer(r"\]\(([^)\s]+)\)", text)]
    return [target for target in targets if target and "://" not in target and not (path.parent / target).exists()]


def in_comments(path):
    """The commands in the comment at the head of a job."""
    return [found[1] for found in re.finditer(r"^#   (tacit .*)$", path.read_text(encoding="utf-8"), re.MULTILINE)]
