// Quantity — the kind of a number (bytes, seconds, ...), and its text for people.
#pragma once

#include <cstdint>
#include <string>

namespace tacit::launcher {

enum class Quantity { kNumber, kCount, kBytes, kSeconds, kPercent };

struct Unit {
  double size = 1;
  std::string name;  // "MB", "ms"; "" for numbers and counts
};

constexpr const char* kNoFigure = "–";  // written in place of a missing figure

// The unit for a figure with this largest value.
Unit unit_for(Quantity quantity, double largest);

std::string grouped(std::int64_t count);               // "51 737 898"
std::string number_text(double value);                 // four digits that count: "0.08849", "11.51", "1.2e-07"
std::string text_of(Quantity quantity, double value);  // with its unit: "51.46 MB", "2.741 ms", "30"

}  // namespace tacit::launcher
