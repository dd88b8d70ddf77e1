"""How commands are declared: options in a line each, and groups of them that commands share.

A command is a function under `@command`, in a module of its name. Its parameters are its options;
a parameter whose type is a dataclass is a group, whose fields are options like the others. Typer
knows no groups: it is shown a function with all the fields, which makes the groups of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, overload

import typer

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from typer.core import TyperCommand

Value = TypeVar("Value")


@overload
def option(text: str, *names: str, default: Value, **more: Any) -> Value: ...
@overload
def option(text: str, *names: str, **more: Any) -> None: ...
def option(text: str, *names: str, default: Any = None, **more: Any) -> Any:
    """An option with this help."""
    return typer.Option(default, *names, help=text, **more)


def required(text: str, *names: str, metavar: str) -> Any:
    """An option that must be given."""
    return option(text, *names, default=..., metavar=metavar)


def flag(name: str, text: str) -> bool:
    """An option that is there or not."""
    return option(text, name, default=False)


@overload
def argument(text: str, metavar: str) -> Any: ...
@overload
def argument(text: str, metavar: str, default: Value) -> Value: ...
def argument(text: str, metavar: str, default: Any = ...) -> Any:
    """An argument with this help; without a default it must be given."""
    return typer.Argument(default, metavar=metavar, help=text)


@dataclass(frozen=True, slots=True)
class Command:
    """What a command does, and an example of it for its help."""

    run: Callable[..., None]
    example: str
    kind: type[TyperCommand] | None = None

    def register(self, app: typer.Typer) -> None:
        """Add the command to an application."""
        app.command(cls=self.kind, epilog=f"Example: {self.example}")(_without_groups(self.run))


@dataclass(frozen=True, slots=True)
class Commands:
    """Commands under a common name, in the modules of a package, whose names they have."""

    package: str
    text: str
    example: str
    names: tuple[str, ...]

    def register(self, app: typer.Typer) -> None:
        """Add the commands to an application."""
        group = typer.Typer(
            name=self.package.rpartition(".")[2],
            no_args_is_help=True,
            help=self.text,
            epilog=f"Example: {self.example}",
        )
        for name in self.names:
            command_in(self.package, name).register(group)
        app.add_typer(group)


def command(
    example: str, kind: type[TyperCommand] | None = None
) -> Callable[[Callable[..., None]], Command]:
    """Make a function a command; its docstring is the help."""
    return lambda run: Command(run, example, kind)


def command_in(package: str, name: str) -> Command | Commands:
    """The command of this name, in the module of its name."""
    found = getattr(import_module(f"{package}.{name}"), name)
    assert isinstance(found, Command | Commands)
    return found


def given(group: DataclassInstance) -> dict[str, Any]:
    """The options of a group that were given, by their fields; repeated ones are tuples."""
    values = ((field.name, getattr(group, field.name)) for field in fields(group))
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in values
        if value is not None and value != []
    }


def _without_groups(run: Callable[..., None]) -> Callable[..., None]:
    """The same function with the fields of groups as parameters of its own."""
    parameters = list(inspect.signature(run, eval_str=True).parameters.values())
    unfolded = [plain for parameter in parameters for plain in _unfolded(parameter)]

    def command(**values: Any) -> None:
        run(**{parameter.name: _made(parameter, values) for parameter in parameters})

    command.__name__, command.__doc__ = run.__name__, run.__doc__
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in unfolded}
    vars(command)["__signature__"] = inspect.Signature(unfolded)
    return command


def _unfolded(parameter: inspect.Parameter) -> list[inspect.Parameter]:
    """A parameter, or if it is a group those of its fields."""
    if not is_dataclass(parameter.annotation):
        return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
    return [plain for field in _fields(parameter) for plain in _unfolded(field)]


def _made(parameter: inspect.Parameter, values: dict[str, Any]) -> Any:
    """What a parameter gets of the given values: one of them, or a group."""
    if not is_dataclass(parameter.annotation):
        return values[parameter.name]
    made: Any = parameter.annotation
    return made(**{field.name: _made(field, values) for field in _fields(parameter)})


def _fields(parameter: inspect.Parameter) -> list[inspect.Parameter]:
    """The fields of a group as parameters."""
    group: Callable[..., Any] = parameter.annotation
    return list(inspect.signature(group, eval_str=True).parameters.values())
