#include "gnn/train/record_draw.h"

#include <algorithm>

#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/train/node_outputs.h"
#include "mpc/protocols/input.h"

namespace tacit::gnn {

namespace {

constexpr mpc::Format kCounted{8, 0};  // zeros and ones

// The drawn rows of an owner, and empty rows.
struct Padded {
  Matrix x, y, counted;

  Padded(const OwnRecords& own, const std::vector<std::int64_t>& drawn)
      : x(Matrix::Zero(own.most_drawn, own.x.cols())),
        y(Matrix::Zero(own.most_drawn, own.y.cols())),
        counted(Matrix::Zero(own.most_drawn, 1)) {
    const std::int64_t count = std::min(std::ssize(drawn), own.most_drawn);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t row = own.train[static_cast<std::size_t>(drawn[static_cast<std::size_t>(i)])];
      x.row(i) = own.x.row(row);
      y.row(i) = own.y.row(row);
      counted(i, 0) = 1;
    }
  }
};

}  // namespace

RecordDraw::RecordDraw(const mpc::Session& session, RecordSource source, double largest)
    : source_(std::move(source)), largest_(largest) {
  if (source_.privacy.sampling != Sampling::kOwners) return;
  for (std::size_t owner = 0; owner < source_.privacy.most_drawn.size(); ++owner) {
    const bool held = session.computes() && source_.owned(static_cast<int>(owner)) != nullptr;
    samples_.push_back(
        held ? std::make_unique<mpc::PoissonSample>(mpc::PairSeed::own(mpc::Nonce{}), source_.privacy.rate) : nullptr);
  }
}

RecordDraw::Drawn RecordDraw::next(Arithmetic& arithmetic) {
  return source_.privacy.sampling == Sampling::kOwners ? by_owners(arithmetic) : together(arithmetic);
}

RecordDraw::Drawn RecordDraw::by_owners(Arithmetic& arithmetic) {
  Tensors x, y, counted;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const int owner = static_cast<int>(i);
    const std::int64_t rows = source_.privacy.most_drawn[i];
    if (rows == 0) continue;
    std::optional<Padded> mine;
    if (samples_[i]) {
      const OwnRecords& own = *source_.owned(owner);
      TACIT_CHECK(own.most_drawn == rows);
      mine.emplace(own, samples_[i]->draw(std::ssize(own.train)));
    }
    const auto put_in = [&](std::int64_t columns, const Matrix* values, const std::string& name) {
      return share_input(arithmetic, owner, {rows, columns}, values, Precision::kValue, largest_, name);
    };
    x.push_back(put_in(source_.features, mine ? &mine->x : nullptr, "drawn x"));
    y.push_back(put_in(source_.labels, mine ? &mine->y : nullptr, "drawn y"));
    counted.emplace_back(
        mpc::input(arithmetic.session(), owner, {rows, 1}, kCounted, mine ? &mine->counted : nullptr, "records"), 1,
        "records");
  }
  return {stacked(x), stacked(y), stacked(counted).share()};
}

RecordDraw::Drawn RecordDraw::together(Arithmetic& arithmetic) {
  const std::int64_t slots = rows();
  Rows drawn;
  if (source_.together) drawn = source_.together->draw(source_.privacy.records);
  const std::int64_t count = std::min(std::ssize(drawn), slots);
  drawn.resize(static_cast<std::size_t>(slots), 0);  // at the dealer it does not matter which rows
  const auto counted = [&] {
    Matrix column = Matrix::Zero(slots, 1);
    column.topRows(count).setOnes();
    return column;
  };
  return {placed(arithmetic, picking(drawn, source_.privacy.records), source_.x),
          placed(arithmetic, picking(drawn, source_.privacy.records), source_.y),
          mpc::constant(arithmetic.session(), {slots, 1}, counted, kCounted, "records")};
}

}  // namespace tacit::gnn
