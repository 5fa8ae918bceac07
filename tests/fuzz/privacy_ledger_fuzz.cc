#include "gnn/privacy/ledger_lines.h"
#include "net/error.h"
#include "tests/fuzz/fuzz.h"

namespace {

using tacit::gnn::LedgerContent;

// Hashes the lines of a ledger: a mutation of a hashed line would only break its hash.
std::string with_hashes(const std::string& texts) {
  std::string all(tacit::gnn::kLedgerHead), hash;
  std::size_t at = 0;
  for (std::size_t end; (end = texts.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string text = texts.substr(at, end - at);
    all += tacit::gnn::ledger_line(hash, text);
    hash = tacit::gnn::ledger_hash(hash, text);
  }
  return all + texts.substr(at);
}

void require_sound(const std::string& text) {
  const tacit::gnn::LedgerReading reading = tacit::gnn::parse_ledger(text, "ledger");
  const LedgerContent& content = reading.content;
  tacit::net::fuzz_require(reading.whole + reading.incomplete == std::ssize(text));
  const std::vector<std::int64_t> steps = content.charged_steps();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const tacit::gnn::LedgerSession& session = content.sessions[i];
    tacit::net::fuzz_require(steps[i] >= 0 && steps[i] <= session.plan.steps - session.from_step);
    for (const tacit::gnn::LedgerReveal& reveal : session.reveals) {
      tacit::net::fuzz_require(steps[i] >= reveal.step - session.from_step);
    }
    check_plan(session.plan);
  }
  for (const tacit::gnn::Mechanism& one : content.charged_at_most(1e-6)) check_mechanism(one);
}

}  // namespace

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  const std::string data = "; job=" + std::string(64, 'a') + "; data=" + std::string(64, 'b');
  const std::string plan =
      "; unit=record; noise=0.9; steps=100; epoch=10; failure=1e-12; adversary=outsiders,0,1.1,0.01,0; "
      "adversary=dealer,0,0.9,0.01,0; adversary=parties,2,0.9,1,7\n";
  const std::string reserved = "reserved; time=1; session=" + std::string(64, '1') + data + plan;
  const std::string resumed =
      "resumed; time=3; session=" + std::string(64, '2') + "; from=" + std::string(64, '1') + "; step=40" + data + plan;
  return {"allowed; time=1; epsilon=2; delta=1e-06\n" + reserved +
              "revealed; time=2; step=60; to=everyone; what=model\nrecovered; time=2; bytes=20; step=70\n" + resumed +
              "revealed; time=4; step=100; to=rank 1; what=model\nended; time=5\n",
          reserved + "revealed; time=2; step=60; to=ev", reserved + "ended; time=2\n" + resumed + "rev"};
}

}  // namespace tacit::net

// An accepted ledger charges at least the reveals in its lines, and no more steps than its sessions have.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = tacit::net::fuzz_text(tacit::net::fuzz_bytes(data, size));
  for (const std::string& ledger : {with_hashes(text), text}) {
    try {
      require_sound(ledger);
    } catch (const tacit::ConfigError&) {
    }
  }
  return 0;
}
