"""The type stubs have the classes, functions, arguments and defaults of the modules, and all have docstrings."""

import ast
import importlib
import importlib.util
import inspect
import pathlib

import pytest
import tacit

FOLDER = pathlib.Path(tacit.__file__).parent
MODULES = ["mpc", "net", "_graph", "_job", "_model", "_plan", "_run"] + (["torch"] if importlib.util.find_spec("torch") else [])


def stub_of(name):
    return ast.parse((FOLDER / f"{name}.pyi").read_text())


def members(node):
    """The functions of a module or class in a stub, and the names of its variables."""
    functions = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
    return functions, {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}


def arguments_of(node):
    spec = node.args
    names = [argument.arg for argument in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]]
    defaults = [ast.unparse(value) for value in [*spec.defaults, *spec.kw_defaults] if value is not None]
    return names, defaults


def compare(node, function, where):
    parameters = [p for p in inspect.signature(function).parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    names, defaults = arguments_of(node)
    assert names == [p.name for p in parameters], where
    assert defaults == [repr(p.default) for p in parameters if p.default is not p.empty], where


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_of_a_module_is_in_its_stub_and_the_other_way_round(name):
    module, stub = importlib.import_module(f"tacit.{name}"), stub_of(name)
    functions, _ = members(stub)
    classes = {item.name: item for item in stub.body if isinstance(item, ast.ClassDef)}
    assert set(module.__all__) == {name for name in {*functions, *classes} if hasattr(module, name)}
    for name, node in functions.items():
        compare(node, getattr(module, name), name)
    for name, node in classes.items():
        if not hasattr(module, name):
            continue  # a type of the stub alone
        kind = getattr(module, name)
        methods, _ = members(node)
        public = {method for method in vars(kind) if not method.startswith("_")} - set(getattr(kind, "_fields", ()))
        public -= {"replace"} if name == "Job" else set()  # _job_schema.pyi has it
        assert public - {"shape"} == {method for method in methods if not method.startswith("_")}, name
        for method, described in methods.items():
            if method in vars(kind) and inspect.isfunction(vars(kind)[method]):
                compare(described, vars(kind)[method], f"{name}.{method}")


@pytest.mark.parametrize("name", MODULES)
def test_everything_public_has_a_docstring(name):
    module = importlib.import_module(f"tacit.{name}")
    assert module.__doc__
    for public in module.__all__:
        thing = getattr(module, public)
        assert inspect.getdoc(thing), public
        for method, function in vars(thing).items() if inspect.isclass(thing) else ():
            if (inspect.isfunction(function) or isinstance(function, (property, classmethod))) and not method.startswith("_"):
                assert inspect.getdoc(function), f"{public}.{method}"


def test_the_package_is_marked_as_typed_and_its_stub_has_its_names():
    assert (FOLDER / "py.typed").exists()
    stub = stub_of("__init__")
    imported = {alias.asname for item in stub.body if isinstance(item, ast.ImportFrom) for alias in item.names}
    assert imported | {"__version__"} == set(tacit.__all__)  # tacit.torch is for those who have PyTorch
