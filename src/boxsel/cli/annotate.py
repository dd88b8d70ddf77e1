"""`boxsel annotate`: shares inside an ontology, which otherwise stays as it is."""

from __future__ import annotations

from boxsel.cli.command import argument, command, flag, required
from boxsel.cli.options import JSON, Naming
from boxsel.cli.output import emit_json, report
from boxsel.formats.source import check_writable, load
from boxsel.wording import several


@command("boxsel annotate disease.owl prevalence.csv -o with-shares.owl")
def annotate(
    *,
    ontology: str = argument("The ontology: RDF/XML, Turtle or functional syntax.", "ONTOLOGY"),
    statements: list[str] = argument(
        "What is added: a table or a knowledge base of any format.", "STATEMENTS..."
    ),
    output: str = required("Write here.", "--output", "-o", metavar="FILE"),
    new: bool = flag("--new", "Declare names that the ontology does not have."),
    reading: Naming,
    as_json: bool = JSON,
) -> None:
    """Add statements to an ontology; every other triple in it stays as it was.

    Names are matched with those of the ontology: by IRI, local name or label.
    """
    from boxsel.formats.owl.annotating import annotate as annotate_file

    check_writable(output)
    added = reading.unite([load(path) for path in statements]).kb
    annotated = annotate_file(ontology, added, output, new=new)
    if as_json:
        emit_json(
            {
                "ontology": ontology,
                "output": output,
                "format": annotated.format.name,
                "added": annotated.added,
                "statements": len(annotated.kb),
                "matched": {entity.iri: place.iri for entity, place in annotated.matched.items()},
                "new": [entity.iri for entity in annotated.new],
            }
        )
        return
    for notice in annotated.notices:
        report(notice)
    report(f"{output}: {several(annotated.added, 'statement')} added to {ontology}")
