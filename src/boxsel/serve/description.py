"""A page about the API that needs nothing but a browser: no script, nothing from elsewhere."""

from __future__ import annotations

import json
from html import escape
from typing import Any, Final

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
