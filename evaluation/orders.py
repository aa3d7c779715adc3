"""The orders in which the three choices of a sample are shown."""

from enum import StrEnum

Order = tuple[int, int, int]


class Orders(StrEnum):
    """Which three orders: the cyclic ones, or those that KoBBQ's preprocessing makes.

    In both each choice stands once at each place. KoBBQ's come from a circulant matrix, whose
    first row is not the original order.
    """

    CYCLIC = "cyclic"
    KOBBQ = "kobbq"


ORDERS: dict[Orders, tuple[Order, Order, Order]] = {
    Orders.CYCLIC: ((0, 1, 2), (1, 2, 0), (2, 0, 1)),
    Orders.KOBBQ: ((0, 2, 1), (1, 0, 2), (2, 1, 0)),
}
"""By set and number of the order, which choice of the sample stands at each place."""


def shown(choices: tuple[str, str, str], order: Order) -> tuple[str, str, str]:
    """Put choices into an order."""
    first, second, third = order
    return choices[first], choices[second], choices[third]
