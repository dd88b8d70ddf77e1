"""What `model.json` tells about a model, for people and for programs."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from math import prod
from typing import Any, Final

import numpy as np

from boxsel._version import __version__
from boxsel.models.model import Model
from boxsel.models.settings import Settings

FORMAT: Final = "boxsel-model"
VERSION: Final = 1

KB_FILE: Final = "kb.sel"
MODEL_FILE: Final = "model.json"
WEIGHTS_FILE: Final = "weights.safetensors"


def versions() -> dict[str, str]:
    """The versions of what a training run rests on."""
    return {"boxsel": __version__, "jax": version("jax"), "numpy": version("numpy")}


def provenance(settings: Settings, device: str, seconds: float, resumed: int = 0) -> dict[str, Any]:
    """How a model came about; `resumed` is the epoch from which a later run went on."""
    return {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "seed": settings.seed,
        "device": device,
        "seconds": round(seconds, 3),
        "resumed": resumed,
    }


def described(model: Model) -> dict[str, Any]:
    """What is to be known about a model beside its settings and hashes."""
    numbering, kb = model.task.numbering, model.kb
    fresh = {name: concept for concept, name in numbering.atoms.items()}
    return {
        "format": FORMAT,
        "version": VERSION,
        "versions": versions(),
        "provenance": dict(model.provenance),
        "metrics": metrics(model),
        "worst": worst(model),
        "parameters": parameter_counts(model),
        "statements": len(kb),
        "ignored_axioms": kb.ignored_axioms,
        "names": [name.iri for name in numbering.names],
        "fresh": {
            name.iri: fresh[name].text(kb.prefixes) for name in numbering.names if name in fresh
        },
        "roles": [role.iri for role in numbering.roles],
        "individuals": [one.iri for one in numbering.individuals],
        "empty": sorted(name.iri for name in model.task.empty),
        "directed": None if model.directed is None else model.directed.text(kb.prefixes),
    }


def metrics(model: Model) -> dict[str, Any]:
    """How well the members satisfy the knowledge base.

    The error is the paper's mean absolute error, averaged over the members kept (over all, if none
    is).
    """
    scores, kept = model.scores, model.kept
    chosen = kept if kept.any() else ~kept
    return {
        "members": model.settings.members,
        "kept": int(kept.sum()),
        "breached": int((scores.largest <= model.settings.tolerance).sum() - kept.sum()),
        "violation": {
            "least": float(scores.largest.min()),
            "median": float(np.median(scores.largest)),
            "mean": float(scores.largest.mean()),
            "largest": float(scores.largest.max()),
        },
        "error": float(scores.errors[chosen].mean()),
        "loss": float(model.history[-1].mean()) if len(model.history) else None,
    }


def worst(model: Model) -> list[dict[str, Any]]:
    """The statements that are violated most: where they stand, what they say, how much."""
    places = {id(statement): place for place, statement in enumerate(model.kb.statements)}
    return [
        {
            "place": places[id(statement)],
            "statement": statement.axiom.text(model.kb.prefixes),
            "violation": violation,
        }
        for statement, violation in model.scores.worst
    ]


def parameter_counts(model: Model) -> dict[str, int]:
    """How many numbers one member has, by what they are about; ⊤ and the identity have none."""
    numbering = model.task.numbering
    rows = {
        "names": len(numbering.names),
        "roles": len(numbering.roles),
        "individuals": len(numbering.individuals),
    }
    counts = {
        kind: rows[kind] * sum(prod(table.shape[2:]) for table in tables.values())
        for kind, tables in model.parameters.items()
    }
    # What roles keep beside names (the bumps of dual boxes) is about roles.
    both = counts["names"] + counts["roles"]
    about_roles = model.representation.roles.size(rows["roles"], rows["names"], model.settings.dim)
    return counts | {"names": both - about_roles, "roles": about_roles}
