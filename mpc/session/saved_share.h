// SavedShare — this rank's own part of a Share, on its way from one session to a later one.
//
// It is as secret as the share: nothing reads it, and it leaves memory through a Sealer alone. Made by Session::save,
// taken back by Session::restore. At the dealer it holds nothing but the shape.
#pragma once

#include <optional>

#include "mpc/ring/fixed_point.h"
#include "mpc/sealed/sealing.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

class SavedShare {
 public:
  static SavedShare nothing(Shape shape, Format format) { return {shape, format}; }  // the dealer's

  // The shape and the format are public, and the caller's to keep.
  void write_to(Sealer& sealer) const;
  // Nothing if the seal is broken. Allocates content_bytes(): bound the shape before.
  static std::optional<SavedShare> read_from(Unsealer& unsealer, Shape shape, Format format);
  static std::int64_t content_bytes(Shape shape, Format format);

  Shape shape() const { return shape_; }
  Format format() const { return format_; }

 private:
  friend class Inside;
  SavedShare(Shape shape, Format format) : shape_(shape), format_(format) {}

  Shape shape_;
  Format format_;
  net::Secret packed_;
  bool held_ = false;
};

}  // namespace tacit::mpc
