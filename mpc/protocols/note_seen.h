// note_seen — adds a digest of public bytes to the transcripts. All parties should have seen the same bytes.
//
// The next comparison, by compare_transcripts() or beside a reveal, ends the run if two parties saw different bytes: for
// example, if a third party sent them different messages. Before that comparison the parties may act differently. If the next
// step of a protocol depends on the bytes, the protocol must compare first.
//
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    nothing
// Secure      as compare_transcripts.h
#pragma once

#include "mpc/sealed/storage_key.h"
#include "mpc/session/session.h"

namespace tacit::mpc {

void note_seen(Session& session, const Digest& of_bytes);

}  // namespace tacit::mpc
