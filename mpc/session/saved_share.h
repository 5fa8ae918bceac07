// SavedShare is this rank's part of a Share between two sessions.
//
// A SavedShare is as secret as the share: no function reads its contents, and they leave memory only
// through a Sealer. save() makes it and restore() takes it back (mpc/protocols/restore.h). At the
// dealer it holds only the shape and the format.
#pragma once

#include <optional>

#include "mpc/ring/fixed_point.h"
#include "mpc/sealed/sealing.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

class SavedShare {
 public:
  static SavedShare nothing(Shape shape, Format format) { return {shape, format}; }  // at the dealer

  // The shape and the format are public. The caller stores them.
  void write_to(Sealer& sealer) const;
  // Empty if the seal is broken. Allocates content_bytes(), so check the shape first.
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
