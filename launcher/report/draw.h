// From figures to pictures.
#pragma once

#include "launcher/report/canvas.h"
#include "launcher/report/figure.h"

namespace tacit::launcher {

// `id` is unlike any other on its page. A figure without points says so in its middle.
Canvas draw(const LineFigure& figure, const std::string& id);
Canvas draw(const BarFigure& figure, const std::string& id);
inline Canvas draw(const Figure& figure, const std::string& id) {
  return std::visit([&](const auto& one) { return draw(one, id); }, figure);
}

}  // namespace tacit::launcher
