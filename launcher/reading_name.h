// How people read the name of a metric: "test f1 of fraud", where files and programs have "test f1_class_1".
#pragma once

#include <span>
#include <string>

#include "gnn/metric/revealed.h"
#include "launcher/run_fields.h"

namespace tacit::launcher {

inline constexpr std::int64_t kMostOfShownName = 60;  // characters, on a terminal

// The name of the class that the metric names by its number; "": it names none, or the job has no names of classes.
std::string class_name_of(const gnn::Revealed& what, std::span<const std::string> class_names);

// The names come from the job, so they may hold any characters: make them printable for a terminal, and escape them for a
// page.
std::string shown_name(const gnn::Revealed& what, std::span<const std::string> class_names);
// The value of a confusion matrix is an accuracy, so its name is "test confusion (accuracy)".
std::string shown_name(const ToldReading& reading);
// The same of any text that may name a metric, such as the reason of a reveal.
std::string shown_name(const std::string& what, std::span<const std::string> class_names);

}  // namespace tacit::launcher
