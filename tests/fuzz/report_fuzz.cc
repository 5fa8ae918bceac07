#include <sstream>

#include "launcher/report/rank_account.h"
#include "launcher/report/run_account.h"
#include "launcher/report/run_page.h"
#include "tests/fuzz/fuzz.h"
#include "tests/launcher/report/well_formed.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  const std::string started =
      "{\"time\":\"2026-11-21T23:43:35.688Z\",\"event\":\"started\",\"name\":\"a\",\"role\":\"party\",\"parties\":2,"
      "\"epochs_planned\":9}\n";
  const std::string epoch =
      "{\"event\":\"epoch\",\"epoch\":3,\"loss\":0.5,\"readings\":[{\"what\":\"test "
      "rmse\",\"value\":1.5,\"to\":\"all\"}],"
      "\"rate\":0.1,\"seconds\":0.01,\"stated\":{\"rounds\":7,\"bytes\":100},\"measured\":{\"rounds\":7,\"peers\":{"
      "\"1\":"
      "{\"payload_sent\":100,\"wire_sent\":110}}}}\n";
  return {started + epoch + "{\"event\":\"resumed\",\"epoch\":2}\n" + epoch + "{\"event\":\"epo",
          started + epoch +
              "{\"event\":\"phase\",\"phase\":\"training\",\"seconds\":1}\n{\"event\":\"failed\",\"error\":\"<b>\"}\n",
          "{\"event\":\"revealed\",\"reveals\":[{\"what\":\"x\",\"to\":\"y\",\"count\":1}],\"decisions\":[{\"what\":"
          "\"z\"}]}\n",
          "{\"result\":\"failed\",\"stated_by_protocol\":[{\"protocol\":\"mask\",\"bytes\":5}],\"seconds\":1e99}",
          "{\"profile\":{\"epochs\":9,\"before\":[{\"part\":\"a\",\"seconds\":1e300}],\"parts\":[{\"times\":3,"
          "\"protocols\":[{\"protocol\":\"mask\",\"calls\":2,\"waited_for_dealer\":-1,\"cost\":{\"rounds\":4}}]}]}}"};
}

}  // namespace tacit::net

// Any bytes as a rank's events, or its summary: read without an error, and shown on a well-formed
// page.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit;
  const std::string text = net::fuzz_text(net::fuzz_bytes(data, size));
  launcher::RunAccount run;
  run.ranks.resize(1);
  std::istringstream events(text), summary(text);
  read_events(events, "events.jsonl", run.ranks[0]);
  read_summary(summary, "summary.json", run.ranks[0]);
  net::fuzz_require(run.ranks[0].complaints.size() <= launcher::kMostComplaints + 1);
  net::fuzz_require(launcher::what_is_wrong_with(page_of(run)).empty());
  return 0;
}
