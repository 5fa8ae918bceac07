// Every setting of a job: its name, its limits, and whether all ranks must say the same. Whoever reads, writes,
// compares or lists jobs is a JobVisitor, and sees the settings in this one order.
#pragma once

#include <cstddef>
#include <string_view>

#include "launcher/job/field.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

inline constexpr std::size_t kMostLayers = 32, kMostMetrics = 16;

class JobVisitor {
 public:
  enum class Whose { kShared, kLocal };  // the same at all ranks, or each rank's own
  enum class Need { kOptional, kRequired };
  virtual ~JobVisitor() = default;

  virtual void field(std::string_view key, Field& field, Need need = Need::kOptional, Whose whose = Whose::kShared) = 0;
  void local(std::string_view key, Field& field) { this->field(key, field, Need::kOptional, Whose::kLocal); }

  // Of what may be left out as a whole: whether it is there. A visitor that reads looks; others answer `now`.
  virtual bool has(std::string_view key, bool now) = 0;

  // What follows is inside this table, until leave(). Where a text may stand instead of the table, it is the setting
  // `short_for` inside.
  virtual void enter(std::string_view key, std::string_view short_for = "") = 0;
  virtual void leave() = 0;

  // A list of tables: how many there are. Then enter_item() and leave() for each.
  virtual std::size_t items(std::string_view key, std::size_t now, std::size_t most) = 0;
  virtual void enter_item(std::string_view key, std::size_t index) = 0;

  // This key is a setting, but not beside the others that stand here: `why`.
  virtual void exclude(std::string_view key, std::string_view why) = 0;
  // What stands there now says the other, too.
  virtual void stands_for(std::string_view key, std::string_view other) = 0;
};

void visit(Job& job, JobVisitor& visitor);

std::string_view word_of(gnn::Openings openings);  // as a job has it

}  // namespace tacit::launcher
