"""OBO 1.4, with the `owl-axioms` header for what its stanzas cannot say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.owl.components import collect
from boxsel.formats.owl.functional import document
from boxsel.formats.owl.iris import readable_prefixes
from boxsel.formats.owl.loading import parse, parse_functional
from boxsel.formats.owl.obo_clauses import OWL_AXIOMS, escaped, sort_clauses
from boxsel.formats.owl.obo_stanzas import stanzas
from boxsel.formats.owl.reading import Collector, problems_named
from boxsel.formats.owl.writing import owl_ontology
from boxsel.formats.source import Source
from boxsel.logic.kb import KB


def read(source: Source) -> KB:
    """The knowledge base in an OBO file."""
    clauses = sort_clauses(source)
    if not clauses.is_obo:
        message = "expected OBO: a header such as format-version: 1.4, or a stanza [Term]"
        raise ReadError(Diagnostic(message, file=source.file, line=1))
    with problems_named(source):
        collector = Collector()
        collector.lose(*clauses.losses)
        collect(parse(clauses.text, "obo", source).get_components(), collector)
        for line, text in clauses.owl_axioms:
            collect(_parse_header(line, text, source).get_components(), collector)
        return collector.finish(readable_prefixes(clauses.prefixes.items()))


def write(kb: KB) -> str:
    """The knowledge base as OBO.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> print(write(KB.of(A <= B)))
        format-version: 1.4
        idspace: boxsel urn:boxsel:
        <BLANKLINE>
        [Term]
        id: boxsel:A
        is_a: boxsel:B
        <BLANKLINE>
        [Term]
        id: boxsel:B
        <BLANKLINE>
    """
    return "".join(_parts(kb))


def _parts(kb: KB) -> Iterator[str]:
    said = stanzas(kb)
    yield "format-version: 1.4\n"
    for prefix, namespace in said.idspaces.items():
        yield f"idspace: {prefix} {namespace}\n"
    rest = replace(kb, statements=tuple(said.unsaid), labels=said.unlabelled)
    if said.unsaid or said.undeclared or said.unlabelled or kb.dropped:
        ontology = replace(owl_ontology(rest), entities=tuple(said.undeclared))
        yield f"{OWL_AXIOMS}: {escaped(document(ontology, kb.prefixes))}\n"
    yield said.text


def _parse_header(line: int, text: str, source: Source) -> Any:
    """The ontology in a header; its lines are all on one line of the file."""
    try:
        return parse_functional(text, source)
    except ReadError as error:
        problems = (
            replace(
                one, message=f"in {OWL_AXIOMS}: {one.message}", line=line, column=None, text=None
            )
            for one in error.diagnostics
        )
        raise ReadError(*problems) from None
