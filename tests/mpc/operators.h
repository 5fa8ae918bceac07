// Opaque: a type that a program can neither print, compare nor branch on, as a secret must be.
#pragma once

#include <ostream>
#include <type_traits>

namespace tacit::mpc {

template <typename T>
concept Printable = requires(std::ostream& out, const T& value) {
  out << value;
};
template <typename T>
concept Comparable = requires(const T& a, const T& b) {
  a == b;
}
|| requires(const T& a, const T& b) { a < b; };
template <typename T>
concept Branchable = std::is_constructible_v<bool, const T&> || std::is_convertible_v<const T&, double>;
static_assert(Printable<int> && Comparable<int> && Branchable<int>, "the questions can be answered yes");

template <typename T>
concept Opaque = !Printable<T> && !Comparable<T> && !Branchable<T>;

}  // namespace tacit::mpc
