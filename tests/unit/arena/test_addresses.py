"""Addresses of clusters: what is wrong with one is said within seconds."""

import socket
from collections.abc import Iterator
from threading import Thread

import pytest

from ninefold.arena import addresses
from ninefold.arena.addresses import check_address, parse_address
from ninefold.core.errors import NinefoldError


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A server that accepts and says nothing by itself."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        yield one


def address_of(one: socket.socket) -> str:
    """Its address as a user writes it."""
    return f"127.0.0.1:{one.getsockname()[1]}"


def answer(one: socket.socket, data: bytes) -> Thread:
    """Answer the first who comes with this."""

    def serve() -> None:
        line, _ = one.accept()
        with line:
            line.recv(100)
            line.sendall(data)

    thread = Thread(target=serve, daemon=True)
    thread.start()
    return thread


def test_nobody_there_is_an_error_at_once(listener: socket.socket) -> None:
    """Ray itself would try for minutes."""
    address = address_of(listener)
    listener.close()
    with pytest.raises(NinefoldError, match=f"Cannot reach a Ray cluster at {address}: .*refused"):
        check_address(address)


def test_somebody_else_is_not_ray(listener: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one who answers in another language, nor one who is silent; gRPC is."""
    other = answer(listener, b"HTTP/1.1 400 Bad Request\r\n\r\n")
    with pytest.raises(NinefoldError, match="whoever answers there is not Ray"):
        check_address(address_of(listener))
    other.join()
    monkeypatch.setattr(addresses, "PATIENCE", 0.05)
    with pytest.raises(NinefoldError, match="whoever answers there is not Ray"):
        check_address(address_of(listener))
    monkeypatch.undo()
    listener.accept()[0].close()
    answer(listener, bytes((0, 0, 6, 4, 0, 0, 0, 0, 0)))
    check_address(address_of(listener))


@pytest.mark.parametrize(
    "address", ["", "head", "ray://", "http://head:80", "head:0", "head:70000"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    """With the forms there are."""
    with pytest.raises(NinefoldError, match="is not the address of a Ray cluster") as caught:
        parse_address(address)
    assert "auto for a cluster of this machine" in str(caught.value)


def test_addresses_are_read() -> None:
    """A client's has a usual port; IPv6 is in brackets."""
    assert parse_address("ray://head.example") == ("head.example", 10001)
    assert parse_address("ray://head:10002") == ("head", 10002)
    assert parse_address("[::1]:6379") == ("::1", 6379)


def test_the_client_of_ray_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray comes without it."""
    monkeypatch.setattr(addresses, "is_installed", lambda _: False)
    with pytest.raises(NinefoldError, match=r"pip install 'ray\[client\]'"):
        check_address("ray://head")


def test_the_cluster_in_the_environment_is_tried_too(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``auto`` means that one, if it is named."""
    monkeypatch.setenv("RAY_ADDRESS", address_of(listener))
    listener.close()
    with pytest.raises(NinefoldError, match="refused"):
        check_address("auto")
    monkeypatch.delenv("RAY_ADDRESS")
    check_address("auto")
