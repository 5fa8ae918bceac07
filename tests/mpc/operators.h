// Which operators a type has: a type of secrets shall have none of them.
#pragma once

#include <ostream>

namespace tacit::mpc {

template <typename T>
concept Printable = requires(std::ostream& out, const T& value) {
  out << value;
};
template <typename T>
concept Comparable = requires(const T& a, const T& b) {
  a == b;
};

}  // namespace tacit::mpc
