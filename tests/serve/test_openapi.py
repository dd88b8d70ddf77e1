"""The API, fuzzed from its own description: every answer is as documented, none is a crash."""

from __future__ import annotations

import http.client
import json
import re
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boxsel.serve.app import create_app
from boxsel.serve.limits import Limits
from boxsel.serve.openapi import description_html
from tests.depth import cases
from tests.serve.serving import Serving

OPENAPI: dict[str, Any] = create_app(Limits(), page=False).openapi()
POSTS = sorted(path for path, methods in OPENAPI["paths"].items() if "post" in methods)
FUZZ = settings(
    max_examples=cases(12),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    database=None,
)

# Pieces of the language, so that some texts are knowledge bases.
LINES = st.sampled_from(
    [
        "A SubClassOf B",
        "(B | A)[0.2, 1/2]",
        "(B | A)[80%]",
        "(C | A and r some B)[7 of 12]",
        "A EquivalentTo B and r some A",
        "DisjointClasses: A, B",
        "r Domain: A",
        "A(a)",
        "r(a, b)",
        "(A | B)",
        "A",
        "A and (B",
        "# nothing",
        "Prefix: x: <http://example.org/>",
        "(B | A)[1/0]",
        "",
    ]
)
TEXTS = st.one_of(st.lists(LINES, max_size=5).map("\n".join), st.text(max_size=20))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema allows."""
    if "$ref" in schema:
        return values(OPENAPI["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return st.one_of([values(one) for one in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "object":
            needed = set(schema.get("required", ()))
            parts = {name: values(one) for name, one in schema["properties"].items()}
            made = st.fixed_dictionaries(
                {name: strategy for name, strategy in parts.items() if name in needed},
                optional={name: strategy for name, strategy in parts.items() if name not in needed},
            )
            return st.sampled_from(schema["examples"]) | made if "examples" in schema else made
        case "array":
            least = schema.get("minItems", 0)
            most = min(schema.get("maxItems", 3), least + 3)
            return st.lists(values(schema["items"]), min_size=least, max_size=most)
        case "string":
            return TEXTS.filter(re.compile(schema.get("pattern", "")).search)
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(schema.get("minimum", 0), schema.get("maximum", 100))
        case "number":
            return st.floats(schema.get("exclusiveMinimum", 0), schema.get("maximum", 1)).filter(
                lambda number: (
                    schema.get("exclusiveMinimum", -1) < number
                    and number < schema.get("exclusiveMaximum", 1e9)
                )
            )
        case _:
            return st.none()


def request_schema(path: str) -> dict[str, Any]:
    content = OPENAPI["paths"][path]["post"]["requestBody"]["content"]
    found: dict[str, Any] = content.get("application/json", {}).get("schema", {"type": "string"})
    return found


def send(server: Serving, method: str, path: str, body: bytes) -> dict[str, Any]:
    """Send a request; what comes back must be as documented, and no crash."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request(method, path, body, {"Content-Type": "application/json"})
    reply = connection.getresponse()
    data = reply.read()
    connection.close()
    template = next(
        (one for one in OPENAPI["paths"] if one == path),
        "/api/v1/jobs/{identifier}" if path.startswith("/api/v1/jobs/") else path,
    )
    assert reply.status < 500, data
    documented = OPENAPI["paths"][template][method.lower()]["responses"][str(reply.status)]
    kind = reply.headers["content-type"]
    answer = json.loads(data)
    schema = {**documented["content"][kind]["schema"], "components": OPENAPI["components"]}
    jsonschema.validate(answer, schema)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("path", POSTS)
def test_requests_that_are_as_documented(path: str, server: Serving) -> None:
    schema = request_schema(path)

    # A job that is cancelled while it runs costs its worker: a few are enough.
    @settings(FUZZ, max_examples=4 if "/jobs/" in path else FUZZ.max_examples)
    @given(values(schema))
    def ask(request: Any) -> None:
        binary = schema.get("type") == "string"
        answer = send(server, "POST", path, (request if binary else json.dumps(request)).encode())
        if "type" in answer and not binary:
            assert answer["type"] != "urn:boxsel:problem:invalid-request", answer
        if "/jobs/" in path and "id" in answer:
            address = f"/api/v1/jobs/{answer['id']}"
            send(server, "GET", address, b"")
            send(server, "DELETE", address, b"")

    ask()


@pytest.mark.parametrize("path", POSTS)
def test_requests_that_are_not(path: str, server: Serving) -> None:
    @FUZZ
    @given(JSON.map(json.dumps).map(str.encode) | st.binary(max_size=50))
    def ask(body: bytes) -> None:
        answer = send(server, "POST", path, body)
        if path != "/api/v1/read":
            assert answer["status"] in (400, 422)

    ask()


@pytest.mark.parametrize("path", POSTS)
def test_examples_are_answered(path: str, server: Serving) -> None:
    schema = OPENAPI["components"]["schemas"].get(
        request_schema(path).get("$ref", "").rpartition("/")[2]
    )
    if schema is None:
        return
    for example in schema["examples"]:
        answer = send(server, "POST", path, json.dumps(example).encode())
        assert "type" not in answer, answer


def test_every_reference_is_defined() -> None:
    spelt = json.dumps(OPENAPI)
    assert "#/$defs/" not in spelt
    names = {part.partition('"')[0] for part in spelt.split("#/components/schemas/")[1:]}
    assert names <= set(OPENAPI["components"]["schemas"])


def test_answers_do_not_depend_on_the_server(server: Serving) -> None:
    assert send(server, "GET", "/api/v1/health", b"")["workers"] == 2
    for path in ("/api/v1/nowhere", "/api/v1/jobs/none", "/nowhere"):
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", path)
        reply = connection.getresponse()
        assert (reply.status, json.load(reply)["title"]) == (404, "There is nothing here")
        assert reply.headers["content-type"] == "application/problem+json"
        connection.close()


def test_the_page_about_the_api_loads_nothing() -> None:
    page = description_html(OPENAPI)
    assert all(f"<code>{path}</code>" in page for path in OPENAPI["paths"])
    assert "src=" not in page
    assert "<script" not in page
    assert "//" not in page.replace("http://example.org", "")
