"""Notebooks as pages: a hook of MkDocs that shows `name.ipynb`, with its outputs, as `name.md`.

What a notebook holds is written as Markdown, so that its pages look and are searched like all
others, and their links are checked. Nothing is run here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

SUFFIX = ".ipynb"
DOWNLOAD = "\nYou can [download this page as a notebook]({name}) and run it.\n"


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add a page for each notebook; the notebook itself stays, to be downloaded."""
    for file in [one for one in files if one.src_uri.endswith(SUFFIX)]:
        notebook = json.loads(Path(str(file.abs_src_path)).read_text("utf-8"))
        try:
            content = page_of(notebook)
        except ValueError as error:
            raise PluginError(f"{file.src_uri}: {error}") from None
        content += DOWNLOAD.format(name=PurePosixPath(file.src_uri).name)
        page = file.src_uri.removesuffix(SUFFIX) + ".md"
        files.append(File.generated(config, page, content=content))
    return files


def page_of(notebook: Mapping[str, Any]) -> str:
    """A notebook as Markdown: text, code, and below each piece of code what it gave.

    Raises:
        ValueError: A cell has not been run, or has an output that cannot be shown.
    """
    return "\n\n".join(part for cell in notebook["cells"] for part in _parts(cell)) + "\n"


def _parts(cell: Mapping[str, Any]) -> Iterator[str]:
    source = _joined(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source.replace(f"{SUFFIX})", ".md)")  # a link to a notebook is one to its page
        return
    if cell["execution_count"] is None:
        raise ValueError(f"this cell has not been run:\n{source}")
    yield _fenced(source, "python")
    for output in cell["outputs"]:
        yield _shown(output)


def _shown(output: Mapping[str, Any]) -> str:
    """One output, by the richest of its forms that a page can have."""
    if output["output_type"] == "stream":
        return _fenced(_joined(output["text"]), "text")
    data = output.get("data", {})
    if "text/html" in data:
        return f'<div style="font-size: 0.9em">{_joined(data["text/html"])}</div>'
    if "text/plain" in data:
        return _fenced(_joined(data["text/plain"]), "text")
    raise ValueError(f"an output of the kind {output['output_type']} cannot be shown")


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)
