#include "launcher/job/check_job.h"
#include "launcher/job/job_agreement.h"
#include "launcher/job/job_text.h"
#include "launcher/job/read_job.h"
#include "net/error.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  const std::string small =
      "name = \"a\"\nparties = 2\n[data]\nfeatures = \"columns 3,5\"\nedges = \"public\"\nlabels = \"rank 1\"\n"
      "masks = \"public\"\nfiles = \"{rank}.npz\"\n[model]\ngcn = { hidden = 4 }\n";
  return {
      small + "[training]\noptimiser = { kind = \"adam\", rate = 1e-3 }\nschedule = { kind = \"cosine\" }\nclip = 1\n",
      small + "[reveal]\nloss = 0\n[[reveal.metric]]\nwhat = \"rmse\"\n[keys]\nidentity = [\"a\", 'b', \"\u00e9\"]\n",
      "[[model.layers]]\nkind = \"sage\"\noutputs = 3\n[[model.layers]]\nkind = \"dropout\"\nrate = 0.5\na.b.c = 1\n",
      "a = 1979-05-27T07:32:00Z\nb = [[1, 2], {c = nan}]\n"};
}

}  // namespace tacit::net

// Any text: refused with the promised error, or a job that stays equal when it is written and read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit;
  try {
    const launcher::ReadJob read =
        launcher::read_job(launcher::parse_document(net::fuzz_text(net::fuzz_bytes(data, size)), "job.toml"));
    check(read.job, read.sources);
    const std::string text = to_toml(read.job, read.sources);
    const launcher::ReadJob again = launcher::read_job(launcher::parse_document(text, "again.toml"));
    net::fuzz_require(agreement_of(again.job) == agreement_of(read.job));
  } catch (const ConfigError& error) {
    for (const char* c = error.what(); *c != '\0'; ++c) {
      net::fuzz_require(static_cast<unsigned char>(*c) >= ' ' && *c != '\x7f');  // no control characters
    }
  }
  return 0;
}
