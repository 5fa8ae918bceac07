// A ledger's text is read back unchanged, or refused with a sentence.
#include "gnn/privacy/ledger_lines.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "net/error.h"
#include "tests/gnn/privacy/sample_plan.h"

namespace tacit::gnn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// Texts of lines to a ledger.
std::string ledger_of(const std::vector<std::string>& texts) {
  std::string all(kLedgerHead), hash;
  for (const std::string& text : texts) {
    all += ledger_line(hash, text);
    hash = ledger_hash(hash, text);
  }
  return all;
}

LedgerSession sample_session(char digit) {
  LedgerSession session;
  session.data = sample_digest('d');
  session.id = sample_digest(digit);
  session.job = sample_digest('a');
  session.began = 1790000000;
  session.plan = sample_plan();
  return session;
}

// A budget, a job with a session that was cut off, its second session.
struct Sample {
  Sample() {
    content.data = {sample_digest('d')};
    content.allowed = Budget{2, 1e-6};
    content.sessions = {sample_session('1'), sample_session('2')};
    content.sessions[0].reveals = {{"model", "everyone", 60}};
    content.sessions[0].table = sample_digest('f');
    content.add_data_of(content.sessions[0]);
    content.sessions[1].from = 0;
    content.sessions[1].from_step = 50;
    content.sessions[1].plan.adversaries[1].uses = 7;
    content.sessions[1].plan.adversaries[2].sample_seen = true;
    content.sessions[1].plan.failure = 1e-12;
    content.sessions[1].reveals = {{"model", "rank 2", 100}};
    texts = {allowed_text(1790000000, *content.allowed),
             session_text(content, content.sessions[0]),
             revealed_text(1790000001, content.sessions[0].reveals[0]),
             recovered_text(1790000002, 17, 70),
             session_text(content, content.sessions[1]),
             revealed_text(1790000003, content.sessions[1].reveals[0])};
  }
  LedgerContent content;
  std::vector<std::string> texts;
};

std::string refusal(const std::string& text) {
  try {
    parse_ledger(text, "the file");
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

TEST(LedgerText, IsReadAsItWasWritten) {
  const Sample sample;
  const LedgerReading reading = parse_ledger(ledger_of(sample.texts), "the file");
  const LedgerContent& read = reading.content;
  EXPECT_EQ(read.data, sample.content.data);
  EXPECT_EQ(read.allowed->epsilon, 2);
  EXPECT_EQ(read.allowed->delta, 1e-6);
  EXPECT_EQ(read.open, std::optional<std::size_t>(1));
  ASSERT_EQ(read.sessions.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(session_text(read, read.sessions[i]), session_text(sample.content, sample.content.sessions[i]));
    ASSERT_EQ(read.sessions[i].reveals.size(), i == 0 ? 2U : 1U);
    EXPECT_EQ(read.sessions[i].reveals[0].to, sample.content.sessions[i].reveals[0].to);
    EXPECT_EQ(read.sessions[i].reveals[0].step, sample.content.sessions[i].reveals[0].step);
  }
  EXPECT_EQ(read.sessions[1].plan.adversaries[2].noise, sample.content.sessions[1].plan.adversaries[2].noise)
      << "exactly";
  EXPECT_EQ(read.sessions[1].plan.adversaries[1].uses, 7);
  EXPECT_FALSE(read.sessions[1].plan.adversaries[1].sample_seen);
  EXPECT_TRUE(read.sessions[1].plan.adversaries[2].sample_seen);
  EXPECT_EQ(read.sessions[1].plan.failure, 1e-12);
  EXPECT_EQ(read.sessions[0].reveals[1].step, 70) << "of the recovered line";
  EXPECT_EQ(reading.whole, std::ssize(ledger_of(sample.texts)));
  EXPECT_EQ(reading.incomplete, 0);
}

TEST(LedgerText, WithAnyBitChangedIsRefused) {
  const std::string whole = ledger_of(Sample().texts);
  for (std::size_t at = 0; at + 1 < whole.size(); ++at) {  // without the last line's end, the line is incomplete
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_NE(refusal(changed), "") << at;
  }
}

TEST(LedgerText, WithALineMissingRepeatedOrMovedIsRefused) {
  const Sample sample;
  std::vector<std::string> lines;
  std::string hash;
  for (const std::string& text : sample.texts) {
    lines.push_back(ledger_line(hash, text));
    hash = ledger_hash(hash, text);
  }
  const auto with = [&](std::vector<std::size_t> order) {
    std::string all(kLedgerHead);
    for (const std::size_t i : order) all += lines[i];
    return refusal(all);
  };
  EXPECT_EQ(with({0, 1, 2, 3, 4, 5}), "");
  EXPECT_THAT(with({0, 1, 3, 4, 5}), AllOf(StartsWith("the file is damaged: line 4"), HasSubstr("bring it back")));
  EXPECT_THAT(with({1, 2, 3, 4, 5}), HasSubstr("line 2 does not have the hash in it"));
  EXPECT_THAT(with({0, 1, 2, 2, 3, 4, 5}), HasSubstr("line 5"));
  EXPECT_THAT(with({0, 1, 3, 2, 4, 5}), HasSubstr("line 4"));
}

// The step of the reveal for which the end of a ledger counts, after these lines.
std::optional<std::int64_t> assumed(const std::vector<std::string>& texts, const std::string& end) {
  const std::string before = ledger_of(texts);
  const LedgerReading reading = parse_ledger(before + end, "the file");
  EXPECT_EQ(reading.whole, std::ssize(before));
  EXPECT_EQ(reading.incomplete, std::ssize(end));
  EXPECT_EQ(reading.hash, parse_ledger(before, "").hash);
  if (!reading.assumed_step) return {};
  EXPECT_EQ(reading.content.sessions.back().reveals.back().step, *reading.assumed_step);
  return reading.assumed_step;
}

TEST(LedgerText, CutWithinARevealCountsAsTheReveal) {
  const Sample sample;
  const std::vector<std::string> before = {sample.texts[0], sample.texts[1]};
  const std::string line = revealed_text(1790000001, {"model", "everyone", 60}) + "; " + std::string(32, 'f');
  const std::size_t readable = line.find("; to");
  for (std::size_t size = 1; size <= line.size(); ++size) {
    EXPECT_EQ(assumed(before, line.substr(0, size)), size < readable + 2 ? 100 : 60) << line.substr(0, size);
  }
  // A step that is not in the session.
  EXPECT_EQ(assumed(before, "revealed; time=5; step=101; to=x"), 100);
  EXPECT_EQ(assumed({sample.texts[1], sample.texts[4]}, "revealed; time=5; step=49; to=x"), 100);
}

TEST(LedgerText, CutWithinAnUnreadableLineCountsAsARevealOfAllSteps) {
  const std::vector<std::string> before = {Sample().texts[1]};
  EXPECT_EQ(assumed(before, std::string(300, '\0')), 100) << "a block that the disk never wrote";
  EXPECT_EQ(assumed(before, "recovered; time=5; by"), 100) << "a second crash";
  EXPECT_EQ(assumed(before, "; ; ; "), 100);
  EXPECT_THAT(refusal(ledger_of(before) + std::string(5000, 'x')), HasSubstr("longer than a line"));
  EXPECT_THAT(refusal(ledger_of(before) + "xyz\n"), HasSubstr("does not have the hash in it"));
}

TEST(LedgerText, CutWithinALineOfAnotherKindCountsForNothing) {
  const std::vector<std::string> before = {Sample().texts[1]};
  for (const std::string text : {"allowed; time", "resumed; time=5; session=", "reserved; ", "ended; time=5; 0"}) {
    EXPECT_EQ(assumed(before, text), std::nullopt) << text;
  }
  EXPECT_EQ(assumed({Sample().texts[0]}, "revealed; time=5"), std::nullopt) << "without a reservation";
}

TEST(LedgerText, OfAnotherKindOrVersionIsRefused) {
  EXPECT_THAT(refusal(""), HasSubstr("is empty"));
  EXPECT_THAT(refusal("Tacit privacy led"), HasSubstr("is cut within its first line"));
  EXPECT_THAT(refusal("epsilon\n"), HasSubstr("is no privacy ledger"));
  EXPECT_THAT(refusal("Tacit privacy ledger, version 3\nanything\n"),
              AllOf(HasSubstr("has version 3 of a privacy ledger"), HasSubstr("reads versions 1 and 2")));
  EXPECT_THAT(refusal("Tacit privacy ledger, version \x01\x02\n"), HasSubstr("version \\x01\\x02"));
  EXPECT_EQ(refusal(std::string(kLedgerHead)), "");
}

// A line that version 1 wrote for a session whose parties drew together. It has the rate 1 and the most steps with a record.
TEST(LedgerText, OfVersion1IsReadAndChargedAsBefore) {
  const std::string reserved =
      "reserved; time=1790000000; session=" + sample_digest('1') + "; job=" + sample_digest('a') +
      "; data=" + sample_digest('d') + "; unit=record; noise=4; steps=1000; epoch=100; failure=1.8189894035458565e-12" +
      "; adversary=outsiders,0,4.898979485566356,0.01,0; adversary=dealer,0,4,0.01,0; adversary=parties,1,4,1,45";
  std::string old(kLedgerHeadOfVersion1);
  old += ledger_line("", reserved);
  const std::string hash = ledger_hash("", reserved);
  const std::string revealed = revealed_text(1790000001, {"model", "everyone", 1000});
  old += ledger_line(hash, revealed);
  const LedgerContent read = parse_ledger(old, "the file").content;
  EXPECT_EQ(session_text(read, read.sessions[0]), reserved);
  const std::vector<Mechanism> charged = read.charged(Observer::kParties);
  ASSERT_EQ(charged.size(), 1U);
  EXPECT_EQ(charged[0].steps, 45);
  EXPECT_EQ(charged[0].rate, 1);
  EXPECT_FALSE(charged[0].sample_seen);
  // A later session of this version in the same file.
  LedgerContent more = read;
  more.open.reset();
  LedgerSession next = sample_session('2');
  next.plan.adversaries[2].sample_seen = true;
  const std::string ended = ended_text(1790000002), line = session_text(more, next);
  const std::string after_reveal = ledger_hash(hash, revealed);
  old += ledger_line(after_reveal, ended) + ledger_line(ledger_hash(after_reveal, ended), line);
  EXPECT_TRUE(parse_ledger(old, "the file").content.sessions[1].plan.adversaries[2].sample_seen);
}

TEST(LedgerText, WithLinesThatCannotFollowIsRefused) {
  const Sample sample;
  const auto with = [&](const std::vector<std::string>& texts) { return refusal(ledger_of(texts)); };
  const std::string& allowed = sample.texts[0];
  const std::string& first = sample.texts[1];
  const std::string& second = sample.texts[4];
  EXPECT_THAT(with({sample.texts[2]}), HasSubstr("line 2 belongs to no reservation"));
  EXPECT_THAT(with({allowed, ended_text(5)}), HasSubstr("line 3 belongs to no reservation"));
  EXPECT_THAT(with({first, ended_text(5), sample.texts[2]}), HasSubstr("belongs to no reservation"));
  EXPECT_THAT(with({second}), HasSubstr("resumes a session that is not in the ledger"));
  EXPECT_THAT(with({first, revealed_text(5, {"model", "everyone", 101})}),
              HasSubstr("a step that is not in its session"));
  EXPECT_THAT(with({first, second, revealed_text(5, {"model", "everyone", 49})}), HasSubstr("not in its session"));
  EXPECT_THAT(with({first, first}), HasSubstr("reserves a second job"));
  EXPECT_THAT(with({first, ended_text(5), first}), HasSubstr("repeats a session"));
  EXPECT_EQ(with({first, ended_text(5), second}), "") << "a job may go on after its end";
  LedgerContent other = sample.content;
  other.sessions[1].data = sample_digest('e');
  other.sessions[1].from.reset();
  other.sessions[1].from_step = 0;
  EXPECT_THAT(with({first, ended_text(5), session_text(other, other.sessions[1])}), HasSubstr("is of other data"));
  other.sessions[1].table = sample_digest('f');
  EXPECT_EQ(with({first, ended_text(5), session_text(other, other.sessions[1])}), "") << "made from the same table";
  other.sessions[1].table.clear();
  other.sessions[1].data = sample_digest('d');
  EXPECT_EQ(with({first, ended_text(5), session_text(other, other.sessions[1])}), "");
  EXPECT_THAT(with({first, session_text(other, other.sessions[1])}), HasSubstr("reserves a second job"));
  other.sessions[1].plan.unit = "edge";
  EXPECT_THAT(with({first, ended_text(5), session_text(other, other.sessions[1])}), HasSubstr("counts another unit"));
}

TEST(LedgerText, WithNumbersOutsideTheirLimitsIsRefused) {
  const Sample sample;
  const auto changed = [&](std::size_t line, const std::string& from, const std::string& to) {
    std::vector<std::string> texts = {sample.texts[0], sample.texts[1], sample.texts[2]};
    const std::size_t at = texts[line].find(from);
    EXPECT_NE(at, std::string::npos) << from;
    texts[line].replace(at, from.size(), to);
    return refusal(ledger_of(texts));
  };
  EXPECT_THAT(changed(0, "epsilon=2", "epsilon=-2"), HasSubstr("line 2 allows a negative epsilon"));
  EXPECT_THAT(changed(0, "epsilon=2", "epsilon=nan"), HasSubstr("has a \"epsilon\" that is no number"));
  EXPECT_THAT(changed(0, "epsilon=2", "epsilon=1e999"), HasSubstr("no number"));
  EXPECT_THAT(changed(0, "delta=1e-06", "delta=0"), HasSubstr("delta 0 is no usable probability"));
  EXPECT_THAT(changed(0, "epsilon=2", "epsilon=2; more=3"), HasSubstr("lacks \"delta\""));
  EXPECT_THAT(changed(0, "delta=1e-06", "delta=1e-06; more=3"), HasSubstr("fields that this version does not know"));
  EXPECT_THAT(changed(0, "allowed", "forbidden"), HasSubstr("of a kind that this version does not know"));
  EXPECT_THAT(changed(1, "steps=100", "steps=-1"), HasSubstr("no whole number"));
  EXPECT_THAT(changed(1, "steps=100", "steps=99999999999999999999"), HasSubstr("no whole number"));
  EXPECT_THAT(changed(1, "steps=100", "steps=99999999999"), HasSubstr("number of steps 1e+11 is outside"));
  EXPECT_THAT(changed(1, "unit=record", "unit="), HasSubstr("unreadable \"unit\""));
  EXPECT_THAT(changed(1, "outsiders,0,", "neighbours,0,"), HasSubstr("an adversary that this version does not know"));
  EXPECT_THAT(changed(1, "outsiders,0,", "outsiders,"), HasSubstr("an adversary without five parts"));
  EXPECT_THAT(changed(1, "adversary=outsiders", "adversary=dealer"), HasSubstr("beginning with the outsiders"));
  EXPECT_THAT(changed(1, "session=1", "session=x"), HasSubstr("is no digest"));
  std::string many = sample.texts[1];
  for (int i = 0; i < 8; ++i) many += "; adversary=parties,2,1,0.1,0";
  EXPECT_THAT(refusal(ledger_of({many})), HasSubstr("fields that this version does not know"));
}

TEST(LedgerText, OfManySessionsHasALimit) {
  LedgerContent content;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i <= kMostLedgerSessions; ++i) {
    LedgerSession session = sample_session('0');
    session.id = fmt::format("{:064x}", i);
    texts.push_back(session_text(content, session));
    texts.push_back(ended_text(5));
  }
  EXPECT_THAT(refusal(ledger_of(texts)), HasSubstr("one session too many"));
  texts.resize(texts.size() - 2);
  EXPECT_EQ(refusal(ledger_of(texts)), "");
}

}  // namespace
}  // namespace tacit::gnn
