// Two agreements from one input (lines "name=value", the second after an empty line): the sentence
// about their difference exists exactly if they differ, and is safe for a terminal.
#include "net/rendezvous/agreement.h"

#include <algorithm>

#include "net/error.h"
#include "net/printable.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  return {"job=x\nring=64\n\njob=x\nring=56\n", "a=1\n\na=1\n", "a=\n\n", "n=" + std::string(300, 'v') + "\n\nn=v\n"};
}

}  // namespace tacit::net

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::net;
  std::string text = fuzz_text(fuzz_bytes(data, size));
  Agreement agreements[2];
  int which = 0;
  while (!text.empty()) {
    const std::string line = text.substr(0, text.find('\n'));
    text.erase(0, line.size() + 1);
    if (line.empty()) which = 1;
    const std::size_t equals = std::min(line.find('='), line.size());
    try {
      agreements[which].set(line.substr(0, equals), line.substr(std::min(equals + 1, line.size())));
    } catch (const tacit::ConfigError&) {
    }
    fuzz_require(agreements[which].bytes() <= Agreement::kMaxBytes);
  }
  const auto sentence = difference(agreements[0], 0, agreements[1], 1);
  fuzz_require(sentence.has_value() != (agreements[0] == agreements[1]));
  if (sentence) {
    fuzz_require(printable(*sentence, 1024) == *sentence);
    fuzz_require(sentence->size() < 1024);
  }
  return 0;
}
