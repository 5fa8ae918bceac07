#include "bench/tables/gradient_aims.h"

#include <fmt/format.h>

#include "bench/tables/confidence.h"
#include "launcher/report/quantity.h"

namespace tacit::launcher {

Aim hiding_aim(const std::vector<double>& hidden, int ranks, int cores, const std::string& why_not) {
  constexpr double kLeastHidden = 60;  // %
  Aim aim{
      "buckets of 25 MB over 1 Gbit/s: the part of the all-reduce that is hidden behind the backward pass, where a "
      "core is free for it",
      fmt::format("at least {:g} %", kLeastHidden), "", false, false};
  if (hidden.empty()) {
    aim.measured = why_not;
    return aim;
  }
  const MeanInterval mean = mean_interval(hidden);
  aim.measured = fmt::format("{}, {} ranks on {} cores", mean.text("%"), ranks, cores);
  aim.told = true;
  aim.met = mean.mean >= kLeastHidden;
  return aim;
}

std::vector<Aim> ddp_aims(const std::vector<double>& ratios, const std::string& why_not) {
  constexpr double kMostOverTls = 1.1, kMostPlain = 1.0;
  Aim encrypted{"an iteration with buckets over TLS, against PyTorch's DistributedDataParallel over Gloo, unencrypted",
                fmt::format("at most {:g} x", kMostOverTls), why_not, false, false};
  Aim plain{"the same, both over plain TCP", fmt::format("at most {:.1f} x", kMostPlain),
            "our ranks always use TLS: there is no time over plain TCP", false, false};
  if (!ratios.empty()) {
    const double median = Samples("", ratios).median();
    encrypted.told = true;
    encrypted.met = median <= kMostOverTls;
    encrypted.measured = fmt::format("{} x, the median of {} {}", number_text(median), ratios.size(),
                                     ratios.size() == 1 ? "pair" : "pairs");
    // TLS only adds to the time.
    if (median <= kMostPlain) {
      plain.told = plain.met = true;
      plain.measured = fmt::format("our ranks always use TLS, and take {} x even so", number_text(median));
    }
  }
  return {encrypted, plain};
}

}  // namespace tacit::launcher
