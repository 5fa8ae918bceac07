#include "mpc/session/planner.h"

#include <algorithm>

#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

// Words of a masked value: Delta and a share of lambda.
constexpr std::int64_t kWordsMasked = 2;

}  // namespace

Work& Work::operator+=(const Work& other) {
  multiplications += other.multiplications;
  words += other.words;
  passing += other.passing;
  most_passing = std::max(most_passing, other.most_passing);
  return *this;
}

Work& Work::operator-=(const Work& other) {
  multiplications -= other.multiplications;
  words -= other.words;
  passing -= other.passing;
  return *this;
}

Share Planner::made(Shape shape, Format format) {
  work_.words += shape.size();
  return Inside::nothing(shape, format);
}

Masked Planner::made_masked(Shape shape, Format format) {
  work_.words += kWordsMasked * shape.size();
  // An empty mask of its own: products with one mask again may keep ciphertexts, and recognise the mask.
  return Inside::masked(shape, format, nullptr, Inside::identity());
}

Shown Planner::made_shown(Shape shape, Format format) {
  work_.words += kWordsMasked * shape.size();
  // Each shown value gets an empty mask of its own. Comparisons of one shown value share dealt
  // bits, and recognise the value by its mask.
  return Inside::shown(shape, format, nullptr, Inside::identity());
}

void Planner::made_passing(std::int64_t words) {
  work_.words += words;
  work_.passing += words;
  work_.most_passing = std::max(work_.most_passing, words);
}

}  // namespace tacit::mpc
