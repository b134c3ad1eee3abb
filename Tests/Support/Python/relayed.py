"""Passes bytes on between sockets, for scripts that interrupt a connection."""
import socket
import threading


def join(one, other):
    """Copies in both directions until one side ends; then both are shut down."""
    for ends in ((one, other), (other, one)):
        threading.Thread(target=copy, args=ends, daemon=True).start()


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    close(source, target)


def close(*sockets):
    for one in sockets:
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
