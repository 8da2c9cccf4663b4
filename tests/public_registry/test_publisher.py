"""Publisher of a server and what it asks for: nothing is said that the registry does not say."""

from __future__ import annotations

import pytest

from toolnote_desktop.public_registry.bundled import bundled_servers
from toolnote_desktop.public_registry.publisher import AsksFor, PublisherKind, ServerPublisher, asks_for, publisher_of
from toolnote_desktop.public_registry.records import Input, Named, Package, PackageArgument, Published, Remote

AT_LINEAR = Remote("http", "https://mcp.linear.app/mcp")


@pytest.mark.parametrize(
    ("server", "publisher"),
    [
        (
            Published("app.linear/mcp", "Linear", remotes=(AT_LINEAR,)),
            ServerPublisher(PublisherKind.OFFICIAL, "linear.app"),
        ),
        (Published("app.linear/mcp", "Linear"), ServerPublisher(PublisherKind.KNOWN, "linear.app")),
        (
            Published("com.evil/linear", "Linear", remotes=(Remote("http", "https://evil.com.example.org/mcp"),)),
            ServerPublisher(PublisherKind.KNOWN, "evil.com"),
        ),
        (
            Published("io.github.ada/notes", "Notes", repository="https://github.com/Ada/notes"),
            ServerPublisher(PublisherKind.KNOWN, "ada"),
        ),
        (
            Published("io.github.ada/notes", "Notes", repository="https://github.com/anna/notes"),
            ServerPublisher(PublisherKind.COMMUNITY),
        ),
        (
            Published("io.github/x", "X", website="https://anna.github.io"),
            ServerPublisher(PublisherKind.COMMUNITY),
        ),
        (Published("nothing", "X"), ServerPublisher(PublisherKind.COMMUNITY)),
    ],
)
def test_the_publisher_is_the_verified_one(server: Published, publisher: ServerPublisher) -> None:
    assert publisher_of(server) == publisher


def package(*arguments: PackageArgument, env: tuple[Named, ...] = ()) -> Published:
    return Published("a/b", "B", packages=(Package("npm", "b", arguments=arguments, environment=env),))


@pytest.mark.parametrize(
    ("server", "asked"),
    [
        (Published("a/b", "B"), AsksFor.UNKNOWN),
        (Published("a/b", "B", remotes=(AT_LINEAR,)), AsksFor.UNKNOWN),
        (package(), AsksFor.UNKNOWN),
        (package(env=(Named("TOKEN", Input(required=True, secret=True)),)), AsksFor.TOKEN),
        (package(env=(Named("DATABASE_URL", Input(required=True, secret=True)),)), AsksFor.DATABASE),
        (package(PackageArgument(Input(required=True, format="filepath"), hint="folder")), AsksFor.FOLDER),
        (package(PackageArgument(Input(required=True), hint="city")), AsksFor.OTHER),
    ],
)
def test_what_is_asked_for_is_what_is_declared(server: Published, asked: AsksFor) -> None:
    assert asks_for(server) is asked


def test_the_curated_list_says_of_each_what_it_asks_for() -> None:
    assert AsksFor.UNKNOWN not in {asks_for(server, is_curated=True) for server in bundled_servers()}
