#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <unordered_set>

#include "melody/packed.h"
#include "search/index.h"
#include "search/index/builder.h"
#include "search/index/file.h"
#include "search/index/snapshot.h"
#include "store/row_checksum.h"
#include "store/sqlite.h"

/// How an index follows its collection.
namespace rondo {
namespace {

using index::Contents;
using index::Sample;
using index::Snapshot;

/// Steps through the rows of a statement; `visit` returns false to stop.
template <typename Visit>
Result<void> each_row(Statement& statement, const Visit& visit) {
  const ResetLater later(statement);
  for (;;) {
    auto row = statement.step();
    if (!row) return fail(std::move(row.error()));
    if (!*row || !visit()) return {};
  }
}

Result<Snapshot> snapshot_of(const index::OpenFile& file) {
  Snapshot snapshot;
  snapshot.memory = file.mapping.keeper;
  for (const Contents::Part& part : file.contents.parts) {
    auto segment = index::Segment::open(file.mapping.bytes.subspan(part.offset, part.length));
    if (!segment) return fail(segment.error());
    index::DocumentSet removed;
    if (!part.removed.empty()) {
      removed = index::DocumentSet(segment->size());
      for (const std::uint32_t d : part.removed) {
        if (d < segment->size()) removed.add(d);
      }
    }
    segment->keep_findings();
    snapshot.segments.push_back(std::move(*segment));
    snapshot.removed.push_back(std::move(removed));
  }
  snapshot.last_voice = file.contents.last_voice;
  snapshot.removed_voices = file.contents.removed_voices;
  for (const Sample& sample : file.contents.samples) snapshot.samples.emplace_back(sample.voice, sample.hash);
  snapshot.count();
  return snapshot;
}

/// Where the collection stands.
struct State {
  std::int64_t last_voice = 0;
  std::uint64_t removed_voices = 0;
};

Result<State> state_of(Database& database) {
  auto last = database.number("SELECT coalesce(max(key), 0) FROM voice");
  if (!last) return fail(last.error());
  auto last_removed = database.number("SELECT coalesce(max(key), 0) FROM removed_voice");
  if (!last_removed) return fail(last_removed.error());
  auto removed = database.number("SELECT count(*) FROM removed_voice");
  if (!removed) return fail(removed.error());
  return State{std::max(*last, *last_removed), static_cast<std::uint64_t>(*removed)};
}

/// A number of its own for each way to hear melodies, 0 for the standard one.
std::uint64_t number_of(const LineOptions& heard) {
  return (heard.graces ? 4U : 0U) + (heard.ignore_repeated ? 2U : 0U) + (heard.fold_octaves ? 1U : 0U);
}

/// Notes of one voice, hashed, another hash for each way to hear them; 0: there is no such voice.
Result<std::uint64_t> voice_hash(Database& database, std::int64_t key, const LineOptions& heard) {
  auto statement = database.query("SELECT notes FROM voice WHERE key = ?1", key);
  if (!statement) return fail(statement.error());
  std::uint64_t hash = 0;
  auto done = each_row(**statement, [&] {
    const std::string_view bytes = (*statement)->bytes(0);
    hash = XXH3_64bits_withSeed(bytes.data(), bytes.size(), number_of(heard)) | 1U;
    return false;
  });
  if (!done) return fail(done.error());
  return hash;
}

/// Up to sixteen voices spread over those after `after`, with the first and the last of them.
Result<std::vector<Sample>> take_samples(Database& database, std::int64_t after, std::int64_t last_voice,
                                         const LineOptions& heard) {
  std::vector<Sample> samples;
  constexpr std::int64_t kSamples = 16;
  for (std::int64_t i = 0; i < kSamples && last_voice > after; ++i) {
    auto key = database.query("SELECT key FROM voice WHERE key >= ?1 LIMIT 1",
                              after + 1 + (last_voice - after - 1) * i / (kSamples - 1));
    if (!key) return fail(key.error());
    std::int64_t found = 0;
    auto done = each_row(**key, [&] {
      found = (*key)->integer(0);
      return false;
    });
    if (!done) return fail(done.error());
    if (found == 0 || (!samples.empty() && samples.back().voice == found)) continue;
    auto hash = voice_hash(database, found, heard);
    if (!hash) return fail(hash.error());
    samples.push_back({found, *hash});
  }
  return samples;
}

/// Whether these voices are still what they were, or gone in the way voices go.
Result<bool> samples_hold(Database& database, const std::vector<std::pair<std::int64_t, std::uint64_t>>& samples,
                          const LineOptions& heard) {
  for (const auto& [key, expected] : samples) {
    auto hash = voice_hash(database, key, heard);
    if (!hash) return fail(hash.error());
    if (*hash == expected) continue;
    if (*hash != 0) return false;
    auto statement = database.query("SELECT 1 FROM removed_voice WHERE key = ?1", key);
    if (!statement) return fail(statement.error());
    bool removed = false;
    auto done = each_row(**statement, [&] {
      removed = true;
      return false;
    });
    if (!done) return fail(done.error());
    if (!removed) return false;
  }
  return true;
}

/// Adds the voices that a statement gives as key, piece, number, notes, note_count, checksum.
Result<void> add_voices(Statement& statement, const LineOptions& heard, index::SegmentBuilder& builder, std::size_t all,
                        const IndexProgress& progress) {
  // Heard in another way, a melody is all that its line has; see Document.
  const bool as_written = heard == LineOptions{};
  Voice voice;
  Result<void> outcome;
  auto done = each_row(statement, [&] {
    const bool whole = voice_checksum(statement.integer(1), statement.integer(2), statement.integer(4),
                                      statement.bytes(3)) == statement.integer(5);
    outcome = whole ? unpack(statement.bytes(3), voice)
                    : fail(damaged_row("voice number " + std::to_string(statement.integer(0))));
    if (outcome) {
      const Line line = make_line(voice, heard);
      outcome = builder.add(VoiceKey{statement.integer(0)}, PieceKey{statement.integer(1)},
                            static_cast<std::uint32_t>(statement.integer(2)), line,
                            !as_written || index::has_every_note(line, voice));
    }
    if (progress && builder.size() % 4096 == 0) progress(builder.size(), all);
    return outcome.has_value();
  });
  return done ? outcome : done;
}

/// The place of each piece among the ids, in byte order.
Result<index::IdOrder> id_order(Database& database) {
  // The order of a BINARY collation is that of bytes, and the index of the ids has it ready.
  auto statement = database.prepare("SELECT key FROM piece ORDER BY id");
  if (!statement) return fail(statement.error());
  index::IdOrder order;
  auto done = each_row(*statement, [&] {
    order.add(statement->integer(0));
    return true;
  });
  if (!done) return fail(done.error());
  order.finish();
  return order;
}

Result<std::string> whole_segment(Collection& collection, const LineOptions& heard, const IndexProgress& progress) {
  Database& database = database_of(collection);
  auto count = database.number("SELECT count(*) FROM voice");
  if (!count) return fail(count.error());
  auto statement = database.prepare("SELECT key, piece, number, notes, note_count, checksum FROM voice ORDER BY key");
  if (!statement) return fail(statement.error());
  index::SegmentBuilder builder;
  const auto all = static_cast<std::size_t>(*count);
  if (auto done = add_voices(*statement, heard, builder, all, progress); !done) return fail(done.error());
  auto order = id_order(database);
  if (!order) return fail(order.error());
  return builder.finish(*order);
}

/// Voices of pieces that got a new voice since: the pieces' other voices come along, so that all voices of a piece
/// always lie in one segment.
Result<std::string> addition(Collection& collection, const LineOptions& heard, std::int64_t after,
                             std::unordered_set<std::int64_t>& pieces, const IndexProgress& progress) {
  Database& database = database_of(collection);
  auto changed = database.query("SELECT DISTINCT piece FROM voice WHERE key > ?1", after);
  if (!changed) return fail(changed.error());
  auto done = each_row(**changed, [&] { return pieces.insert((*changed)->integer(0)).second; });
  if (!done) return fail(done.error());
  if (pieces.empty()) return std::string();
  auto statement = database.query(
      "SELECT key, piece, number, notes, note_count, checksum FROM voice"
      " WHERE piece IN (SELECT piece FROM voice WHERE key > ?1) ORDER BY key",
      after);
  if (!statement) return fail(statement.error());
  index::SegmentBuilder builder;
  auto added = add_voices(**statement, heard, builder, pieces.size(), progress);
  if (!added) return fail(added.error());
  auto ordered =
      database.query("SELECT key FROM piece WHERE key IN (SELECT piece FROM voice WHERE key > ?1) ORDER BY id", after);
  if (!ordered) return fail(ordered.error());
  index::IdOrder order;
  done = each_row(**ordered, [&] {
    order.add((*ordered)->integer(0));
    return true;
  });
  if (!done) return fail(done.error());
  order.finish();
  return builder.finish(order);
}

Result<std::unordered_set<std::int64_t>> removed_voices(Database& database) {
  auto statement = database.prepare("SELECT key FROM removed_voice");
  if (!statement) return fail(statement.error());
  std::unordered_set<std::int64_t> keys;
  auto done = each_row(*statement, [&] {
    keys.insert(statement->integer(0));
    return true;
  });
  if (!done) return fail(done.error());
  return keys;
}

/// What a rebuild would save is worth its while.
bool worn(const Snapshot& snapshot, const Contents& contents) {
  constexpr std::size_t kMostParts = 8;
  std::size_t documents = 0;
  std::size_t removed = 0;
  for (const index::Segment& segment : snapshot.segments) documents += segment.size();
  for (const Contents::Part& part : contents.parts) removed += part.removed.size();
  return contents.parts.size() >= kMostParts || removed * 4 > documents;
}

}  // namespace

Result<Index> Index::open(const std::filesystem::path& file) {
  auto opened = index::open_file(file);
  if (!opened) return fail(opened.error());
  auto snapshot = snapshot_of(*opened);
  if (!snapshot) {
    Error error = snapshot.error();
    error.place.file = file.string();
    return fail(std::move(error));
  }
  return Index(std::make_shared<const Snapshot>(std::move(*snapshot)));
}

Result<Index> Index::of(Collection& collection, const IndexProgress& progress, const LineOptions& heard) {
  auto still = collection.snapshot();
  if (!still) return fail(still.error());
  auto segment = whole_segment(collection, heard, progress);
  if (!segment) return fail(segment.error());
  std::vector<std::string> segments;
  segments.push_back(std::move(*segment));
  auto snapshot = Snapshot::of(std::move(segments));
  if (!snapshot) return fail(snapshot.error());
  return Index(std::move(*snapshot));
}

Result<bool> Index::fits(Collection& collection, const LineOptions& heard) const {
  auto state = state_of(database_of(collection));
  if (!state) return fail(state.error());
  if (state->last_voice != snapshot_->last_voice || state->removed_voices != snapshot_->removed_voices) return false;
  return samples_hold(database_of(collection), snapshot_->samples, heard);
}

namespace {

/// Makes the file anew. The caller holds its lock.
Result<void> rebuild_locked(Collection& collection, const std::filesystem::path& file, const IndexProgress& progress,
                            const LineOptions& heard) {
  auto still = collection.snapshot();
  if (!still) return fail(still.error());
  auto state = state_of(database_of(collection));
  if (!state) return fail(state.error());
  auto samples = take_samples(database_of(collection), 0, state->last_voice, heard);
  if (!samples) return fail(samples.error());
  auto segment = whole_segment(collection, heard, progress);
  if (!segment) return fail(segment.error());
  Contents contents{{Contents::Part{}}, state->last_voice, state->removed_voices, std::move(*samples)};
  return index::write_file(file, *segment, std::move(contents));
}

/// Adds to the file what the collection has more than it. The caller holds its lock. False: a rebuild is needed.
Result<bool> extend_locked(Collection& collection, const std::filesystem::path& file, const IndexProgress& progress,
                           const LineOptions& heard) {
  auto opened = index::open_file(file);
  if (!opened) return false;
  auto snapshot = snapshot_of(*opened);
  if (!snapshot) return false;
  auto still = collection.snapshot();
  if (!still) return fail(still.error());
  auto known = samples_hold(database_of(collection), snapshot->samples, heard);
  if (!known) return fail(known.error());
  if (!*known || worn(*snapshot, opened->contents)) return false;
  auto state = state_of(database_of(collection));
  if (!state) return fail(state.error());
  if (state->last_voice == snapshot->last_voice && state->removed_voices == snapshot->removed_voices) return true;
  // A collection restored from a backup: the index knows more than there is.
  if (state->last_voice < snapshot->last_voice || state->removed_voices < snapshot->removed_voices) return false;
  std::unordered_set<std::int64_t> pieces;
  auto segment = addition(collection, heard, snapshot->last_voice, pieces, progress);
  if (!segment) return fail(segment.error());
  // Of every addition: the last imports may be lost with the power or undone by a backup, and others get their keys.
  auto samples = take_samples(database_of(collection), snapshot->last_voice, state->last_voice, heard);
  if (!samples) return fail(samples.error());
  auto gone = removed_voices(database_of(collection));
  if (!gone) return fail(gone.error());
  Contents contents = opened->contents;
  contents.samples.insert(contents.samples.end(), samples->begin(), samples->end());
  for (std::size_t s = 0; s < snapshot->segments.size(); ++s) {
    const index::Segment& part = snapshot->segments[s];
    contents.parts[s].removed.clear();
    for (index::DocumentId d = 0; d < part.size(); ++d) {
      const bool elsewhere = pieces.contains(static_cast<std::int64_t>(part.piece(d)));
      if (elsewhere || snapshot->removed[s].has(d) || gone->contains(static_cast<std::int64_t>(part.voice(d)))) {
        contents.parts[s].removed.push_back(d);
      }
    }
  }
  contents.last_voice = state->last_voice;
  contents.removed_voices = state->removed_voices;
  if (!segment->empty()) contents.parts.emplace_back();
  if (auto done = index::append_to_file(file, *segment, std::move(contents)); !done) return fail(done.error());
  return true;
}

}  // namespace

Result<Index> Index::rebuild(Collection& collection, const std::filesystem::path& file, const IndexProgress& progress,
                             const LineOptions& heard) {
  {
    auto lock = index::lock_file(file);
    if (!lock) return fail(lock.error());
    if (auto done = rebuild_locked(collection, file, progress, heard); !done) return fail(done.error());
  }
  return open(file);
}

Result<Index> Index::update(Collection& collection, const std::filesystem::path& file, const IndexProgress& progress,
                            const LineOptions& heard) {
  // Most often there is nothing to do: then nobody needs to wait, and the folder need not be writable.
  if (auto current = open(file)) {
    auto fits = current->fits(collection, heard);
    if (!fits) return fail(fits.error());
    if (*fits) return current;
  }
  {
    // Everything that is written depends on what is read, so the file is read under the lock.
    auto lock = index::lock_file(file);
    if (!lock) return fail(lock.error());
    auto extended = extend_locked(collection, file, progress, heard);
    if (!extended) return fail(extended.error());
    if (!*extended) {
      if (auto done = rebuild_locked(collection, file, progress, heard); !done) return fail(done.error());
    }
  }
  return open(file);
}

}  // namespace rondo
