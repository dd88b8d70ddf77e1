"""The description of the API: published schemas of answers, beside what FastAPI finds out.

A page shows it that needs nothing but a browser: no script, nothing from elsewhere.
"""

from __future__ import annotations

import json
from copy import deepcopy
from html import escape
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from boxsel import schemas
from boxsel._version import __version__
from boxsel.serve.http_problems import PROBLEM_SCHEMA
from boxsel.serve.lists import NDJSON
from boxsel.serve.problems import KINDS, PROBLEM_TYPE

JSON: Final = "application/json"
PUBLISHED: Final = ("check", "bounds", "ask", "explain", "next", "compare", "simpson", "show")
"""The answers that are those of the command line, as they are."""

_TITLE: Final = "boxsel"
_ABOUT: Final = (
    "What can a proportion be, given others? A reasoner for Statistical EL."
    " The knowledge base is in the request; nothing is stored. Every error is problem+json."
)
_NAME: Final = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "label": {"type": "string"}},
    "required": ["name", "label"],
    "additionalProperties": False,
}


def component(name: str) -> dict[str, str]:
    """A reference to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def answers(
    name: str, status: int = 200, *, lists: bool = False
) -> dict[int | str, dict[str, Any]]:
    """What a route may answer: an object of a schema, a list of them if asked so, or a problem."""
    good: dict[str, dict[str, Any]] = {JSON: {"schema": component(name)}}
    if lists:
        line = {"anyOf": [component(name), component("Problem")]}
        whole = _object("In the order of queries.", answers={"type": "array", "items": line})
        good = {JSON: {"schema": {"anyOf": [component(name), whole]}}, NDJSON: {"schema": line}}
    bad = {PROBLEM_TYPE: {"schema": component("Problem")}}
    kinds: dict[int, list[str]] = {}
    for kind in KINDS.values():
        kinds.setdefault(kind.status, []).append(kind.title)
    problems: dict[int | str, dict[str, Any]] = {
        code: {"description": ", or: ".join(titles), "content": bad}
        for code, titles in sorted(kinds.items())
    }
    return {status: {"description": "The answer.", "content": good}, **problems}


def install(app: FastAPI) -> None:
    """Let an application describe itself so."""

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            content = get_openapi(
                title=_TITLE, version=__version__, description=_ABOUT, routes=app.routes
            )
            content["components"]["schemas"].update(_components())
            app.openapi_schema = content
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _components() -> dict[str, Any]:
    content: dict[str, Any] = {"Problem": PROBLEM_SCHEMA}
    for name in PUBLISHED:
        content.update(_published(name, schemas.schema(name)))
    text = {"description": "The repaired knowledge base as .sel; null if there is none."}
    content.update(
        _published("repair", _instead("repair", kb={**text, "type": ["string", "null"]}))
    )
    text = {"description": "The people, as the text of a file.", "type": "string"}
    content.update(_published("sample", _instead("sample", people=text)))
    content["parse"], content["text"], content["job"] = _parse(), _text(), _job()
    count = {"type": "integer", "minimum": 0}
    content["health"] = _object(
        "How busy the server is.",
        version={"type": "string"},
        workers=count,
        live=count,
        idle=count,
        waiting=count,
    )
    content["sensitivity"] = _object(
        "How far each end moves with the stated numbers.",
        query={"type": "string"},
        influences=content["ask"]["properties"]["sensitivity"],
    )
    return content


def _published(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A published schema as components: the parts that it defines become their own."""
    whole = _renamed(name, deepcopy(schema))
    parts = whole.pop("$defs", {})
    whole = {key: value for key, value in whole.items() if key not in ("$schema", "$id")}
    return {name: whole, **{f"{name}.{part}": value for part, value in parts.items()}}


def _renamed(name: str, value: Any) -> Any:
    if isinstance(value, list):
        return [_renamed(name, part) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        key: part.replace("#/$defs/", f"#/components/schemas/{name}.")
        if key == "$ref"
        else _renamed(name, part)
        for key, part in value.items()
    }


def _instead(name: str, **text: Any) -> dict[str, Any]:
    """As on the command line, with the text of the result instead of a file."""
    schema: dict[str, Any] = deepcopy(schemas.schema(name))
    del schema["properties"]["output"]
    schema["properties"] |= text
    schema["required"] = [one for one in schema["required"] if one != "output"] + [*text]
    return schema


def _parse() -> dict[str, Any]:
    names = {"type": "array", "items": _NAME}
    return _object(
        "Whether a text can be read: errors with their places, else names and statements.",
        valid={"type": "boolean"},
        errors=PROBLEM_SCHEMA["properties"]["errors"],
        more={"type": "boolean", "description": "Whether there may be more errors."},
        concepts=names,
        roles=names,
        individuals=names,
        statements={"type": "array", "items": {"type": "string"}},
        dropped=_dropped(),
    )


def _text() -> dict[str, Any]:
    return _object(
        "A knowledge base as text.",
        format={"type": "string"},
        kb={"type": "string"},
        statements={"type": "integer", "minimum": 0},
        dropped=_dropped(),
    )


def _dropped() -> dict[str, Any]:
    return {"type": "array", "items": component("show.dropped")}


def _job() -> dict[str, Any]:
    progress = _object(
        "How far it is.",
        task={"type": "string"},
        done={"type": "integer", "minimum": 0},
        total={"type": "integer", "minimum": 0},
        note={"type": "string"},
    )
    return _object(
        "Long work, as it is now.",
        id={"type": "string"},
        task={"type": "string"},
        state={"enum": ["queued", "running", "done", "failed", "cancelled"]},
        created={"type": "string", "format": "date-time"},
        seconds={"type": "number", "minimum": 0},
        progress={"anyOf": [{"type": "null"}, progress]},
        result={"type": ["object", "null"], "description": "The answer, once it is done."},
        problem={"anyOf": [{"type": "null"}, component("Problem")]},
    )


def _object(description: str, **properties: Any) -> dict[str, Any]:
    return {
        "description": description,
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .25rem; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .75rem 1rem; }
pre { border: 1px solid gray; border-radius: .5rem; }
b { display: inline-block; min-width: 4.5rem; }
"""


def description_html(openapi: dict[str, Any]) -> str:
    """The addresses that an OpenAPI description has, with an example for each.

    Examples:
        >>> page = description_html({"info": {"title": "boxsel"}, "paths": {}})
        >>> "<h1>boxsel" in page
        True
    """
    about = openapi["info"]
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<title>{escape(about['title'])}: the API</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(about['title'])} {escape(about.get('version', ''))}</h1>",
        f"<p>{escape(about.get('description', ''))}</p>",
        "<p>For programs: <a href='/api/v1/openapi.json'>openapi.json</a></p>",
    ]
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            parts.append(f"<h2><b>{method.upper()}</b> <code>{escape(path)}</code></h2>")
            parts.append(f"<p>{escape(operation.get('summary', ''))}</p>")
            example = _example(openapi, operation)
            if example is not None and not path.startswith("/api/v1/jobs"):
                shown = json.dumps(example, indent=2, ensure_ascii=False)
                parts.append(f"<pre>{escape(shown)}</pre>")
    return "".join([*parts, "</body></html>"])


def _example(openapi: dict[str, Any], operation: dict[str, Any]) -> Any:
    """An example of the body of a request, if there is one."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    reference = content.get("schema", {}).get("$ref", "")
    schema = openapi.get("components", {}).get("schemas", {}).get(reference.rpartition("/")[2], {})
    return next(iter(schema.get("examples", ())), None)
