#include "launcher/commands/manual.h"

#include <fmt/format.h>

namespace tacit::launcher {

std::vector<const CLI::App*> visible_verbs(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

namespace {

// Escapes text for troff: no escape, no request at the beginning of a line.
std::string plain(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n')) safe += "\\&";
    if (c == '\\') safe += "\\e";
    if (c == '-') safe += "\\-";
    if (c != '\\' && c != '-') safe += c;
  }
  return safe;
}

void add_options(const CLI::App& verb, std::string& text) {
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_group().empty() || option == verb.get_help_ptr()) continue;
    const std::string takes = option->get_items_expected_max() == 0 || option->get_positional() ? "" : " VALUE";
    const std::string name = option->get_positional() ? option->get_name(true) : option->get_name(false, true);
    text += fmt::format(".TP\n.B {}{}\n{}\n", plain(name), takes, plain(option->get_description()));
  }
}

void add_verbs(const CLI::App& app, const std::string& path, std::string& text) {
  for (const CLI::App* verb : visible_verbs(app)) {
    const std::string name = path + " " + verb->get_name();
    if (!visible_verbs(*verb).empty()) {
      add_verbs(*verb, name, text);
      continue;
    }
    text += fmt::format(".SS {}\n{}.\n", plain(name), plain(verb->get_description()));
    add_options(*verb, text);
    text += fmt::format(".PP\n.nf\n{}\n.fi\n", plain(verb->get_footer()));
  }
}

}  // namespace

std::string manual(const CLI::App& tacit, const std::string& version) {
  std::string verbs;
  add_verbs(tacit, "tacit", verbs);
  return fmt::format(R"(.TH TACIT 1 "" "tacit {}"
.SH NAME
tacit \- train graph networks on data that several organisations hold and none may show
.SH SYNOPSIS
.B tacit
.I verb
.RI [ options ]
.SH DESCRIPTION
{}
.SH VERBS
{}.SH ENVIRONMENT
.TP
.B RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT
Which process this is, how many there are (the dealer too), and where rank 0 listens. Otherwise what Open MPI, PMI, Slurm
or a Kubernetes indexed job sets is used.
.TP
.B NO_COLOR
If it is set, what is shown on a terminal has no colours.
.TP
.B TERM
If it is dumb, or not set, a terminal is shown lines, and none that changes.
.TP
.B TMPDIR
Where a demonstration that keeps nothing has its folder.
.TP
.B TACIT_DEVICE
Where large matrices are multiplied, if --device does not say it: none, auto, cuda or cuda:N.
.TP
.B TACIT_INSTRUCTIONS
Which of the processor's instructions kernels use, instead of the best: for trying.
.SH FILES
.TP
.I runs/rank<r>/
What a rank leaves behind, in the job's output folder: job.toml, events.jsonl, summary.json, checkpoints/, and what was
revealed to it, model.npz and predictions.npz. After tacit serve also requests.jsonl, the account of all requests, and
while it runs the socket for requests, ask.sock. All of it is its owner's alone.
.TP
.I runs/report.html
The page of a run, as tacit launch, tacit demo and tacit report write it.
.TP
.I /usr/share/doc/tacit/
README.md; docs/guide, by task; docs/job-file.md, with all keys of a job file; gnn/data/README.md, with the formats of data; examples of
jobs, and in examples/cluster how a cluster starts ranks. Under another prefix where Tacit was installed there.
.SH EXIT STATUS
.TP
.B 0
done
.TP
.B 2
yours to fix: a file, a key, the job
.TP
.B 3
network, or a peer lost: start again
.TP
.B 4
a rank deviates, or runs something else
.TP
.B 70
a bug in Tacit
.TP
.B 130, 143
interrupted, by Ctrl-C or SIGTERM
)",
                     version, plain(tacit.get_description()), verbs);
}

}  // namespace tacit::launcher
