"""links: the parts of the links of a job that learns links, computed as gnn/data/links.h says, without its code."""

import numpy


def parts(edge_index, plan):
    """Returns the links, each once from the smaller number to the larger, and the part of each."""
    links = numpy.unique(edge_index[:, edge_index[0] < edge_index[1]], axis=1)
    return links, [part_of(int(one), int(other), plan) for one, other in links.T]


def messages(graph, plan):
    """Returns the arrays of a graph with only the training links as edges, and loops."""
    kept = [one == other or part_of(min(int(one), int(other)), max(int(one), int(other)), plan) == "train"
            for one, other in graph["edge_index"].T]
    return {**graph, **{key: graph[key][..., kept] for key in ("edge_index", "edge_weight") if key in graph}}


def part_of(smaller, larger, plan):
    number = mixed(plan["seed"] + STEP)
    for node in (smaller, larger):
        number = mixed(number + STEP + node)
    place = (number >> 11) / 2**53
    if place < plan["validation"]:
        return "validation"
    return "test" if place < plan["validation"] + plan["test"] else "train"


STEP, WORD = 0x9E3779B97F4A7C15, 2**64 - 1


def mixed(number):
    """The last steps of splitmix64."""
    number &= WORD
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        number = (number ^ (number >> shift)) * factor & WORD
    return number ^ (number >> 31)
