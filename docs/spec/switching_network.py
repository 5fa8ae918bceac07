"""Beneš' network for any number of wires: mpc/made/switching_network.h."""


def depth_of(count):
    return 0 if count < 2 else 2 * (count - 1).bit_length() - 1


def layers_of(count):
    """Layers of switches, each of two wires. One layer of neighbours, two inner networks, and the same layer once more."""
    layers = [[] for _ in range(depth_of(count))]

    def build(wires, depth):
        pairs = list(zip(wires[::2], wires[1::2]))
        if not pairs:
            return
        layers[depth] += pairs
        if len(wires) > 2:
            layers[len(layers) - 1 - depth] += pairs
            odd = [wires[-1]] if len(wires) % 2 else []
            build([first for first, _ in pairs], depth + 1)
            build([second for _, second in pairs] + odd, depth + 1)

    build(list(range(count)), 0)
    return layers


def sides_of(order):
    """Through which inner network each input goes: neighbours at a first or last switch through different ones."""
    count, back, sides = len(order), {place: wire for wire, place in enumerate(order)}, {}

    def follow(wire, side):
        while wire < count and wire not in sides:
            sides[wire] = side
            neighbour = order[wire] ^ 1
            if neighbour >= count:
                return
            sides[back[neighbour]] = 1 - side
            wire = back[neighbour] ^ 1

    if count % 2:
        follow(count - 1, 1)
    for wire in range(0, count, 2):
        follow(wire, 0)
    return sides, back


def settings_of(order):
    """For each layer and switch, whether it exchanges its wires: the wire i comes out as wire order[i]."""
    settings = [[] for _ in range(depth_of(len(order)))]

    def build(order, depth):
        if len(order) < 2:
            return
        if len(order) == 2:
            settings[depth].append(order[0] == 1)
            return
        (sides, back), pairs = sides_of(order), range(len(order) // 2)
        settings[depth] += [sides[2 * pair] == 1 for pair in pairs]
        settings[len(settings) - 1 - depth] += [sides[back[2 * pair]] == 1 for pair in pairs]
        for side in (0, 1):
            inner = {wire // 2: order[wire] // 2 for wire in range(len(order)) if sides[wire] == side}
            build([inner[i] for i in range(len(inner))], depth + 1)

    build(list(order), 0)
    return settings
