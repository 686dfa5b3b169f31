#include "rondo/search/search.h"

#include <algorithm>
#include <map>

#include "search/fast/method.h"

namespace rondo {
namespace {

using fast::Contest;
using fast::DocumentId;
using fast::Field;

/// What decides between pieces of equal score.
struct Standing {
  Contest::Entry entry;
  double tie = 0;
  std::size_t length_difference = 0;
  std::uint32_t id_order = 0;
  PieceKey piece{};
};

bool better(const Standing& a, const Standing& b) {
  if (a.entry.score != b.entry.score) return a.entry.score > b.entry.score;
  if (a.tie != b.tie) return a.tie > b.tie;
  return a.length_difference < b.length_difference;
}

/// Documents of the chosen pieces, by segment; empty where all are.
std::vector<index::DocumentSet> chosen_documents(const index::Snapshot& snapshot, const SearchOptions& options) {
  std::vector<index::DocumentSet> out;
  if (!options.among && !options.except) return out;
  for (const index::Segment& segment : snapshot.segments) {
    index::DocumentSet set(segment.size());
    for (DocumentId d = 0; d < segment.size(); ++d) {
      const PieceKey piece = segment.piece(d);
      if (options.except == piece) continue;
      if (!options.among || std::binary_search(options.among->begin(), options.among->end(), piece)) set.add(d);
    }
    out.push_back(std::move(set));
  }
  return out;
}

/// Pieces looked at, and those of them that are long enough.
std::pair<std::size_t, std::size_t> count_pieces(const index::Snapshot& snapshot, const std::vector<Field>& fields,
                                                 std::size_t shortest) {
  if (fields.empty() || fields.front().chosen == nullptr) return {snapshot.pieces, snapshot.pieces_with(shortest)};
  std::map<PieceKey, bool> pieces;
  for (const Field& field : fields) {
    for (std::size_t r = 0; r < field.segment->runs().size(); ++r) {
      for (DocumentId d = field.segment->runs()[r].first_document; d < field.segment->run_end(r); ++d) {
        if (!field.has(d)) continue;
        bool& enough = pieces[field.segment->piece(d)];
        enough = enough || field.segment->runs()[r].notes >= shortest;
      }
    }
  }
  const auto enough = std::count_if(pieces.begin(), pieces.end(), [](const auto& piece) { return piece.second; });
  return {pieces.size(), static_cast<std::size_t>(enough)};
}

/// The k best in their final order.
std::vector<Standing> in_order(const index::Snapshot& snapshot, const std::vector<Contest::Entry>& entries,
                               const PreparedQuery& prepared, const Line& query, std::size_t k,
                               const std::function<std::string(PieceKey)>& id_of) {
  std::vector<std::vector<Standing>> by_segment(snapshot.segments.size());
  Line line;
  for (const Contest::Entry& entry : entries) {
    const index::Segment& segment = snapshot.segments[entry.segment];
    segment.line(entry.document, line);
    const std::size_t difference = line.size() > query.size() ? line.size() - query.size() : query.size() - line.size();
    by_segment[entry.segment].push_back(
        {entry, prepared.tie_break(line), difference, segment.id_order(entry.document), segment.piece(entry.document)});
  }
  std::vector<Standing> all;
  for (std::vector<Standing>& places : by_segment) {
    const std::size_t wanted = std::min(k, places.size());
    std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(wanted), places.end(),
                      [](const Standing& a, const Standing& b) {
                        return better(a, b) || (!better(b, a) && a.id_order < b.id_order);
                      });
    all.insert(all.end(), places.begin(), places.begin() + static_cast<std::ptrdiff_t>(wanted));
  }
  std::map<PieceKey, std::string> ids;
  if (id_of && snapshot.segments.size() > 1) {
    for (const Standing& place : all) ids.emplace(place.piece, id_of(place.piece));
  }
  std::sort(all.begin(), all.end(), [&](const Standing& a, const Standing& b) {
    if (better(a, b) || better(b, a)) return better(a, b);
    if (a.entry.segment == b.entry.segment) return a.id_order < b.id_order;
    return ids.empty() ? a.piece < b.piece : ids[a.piece] < ids[b.piece];
  });
  if (all.size() > k) all.resize(k);
  return all;
}

}  // namespace

void teach(const Index& index, System& system) {
  if (!system.learns()) return;
  const index::Snapshot& snapshot = index.snapshot();
  if (system.adopt(snapshot.threes)) return;
  Line line;
  for (std::size_t s = 0; s < snapshot.segments.size(); ++s) {
    for (DocumentId d = 0; d < snapshot.segments[s].size(); ++d) {
      if (snapshot.removed[s].has(d)) continue;
      snapshot.segments[s].line(d, line);
      system.learn(line);
    }
  }
}

SearchResult search(const Index& index, const SystemRow& row, const System& system, const Line& query,
                    const SearchOptions& options, const std::function<std::string(PieceKey)>& id_of) {
  const index::Snapshot& snapshot = index.snapshot();
  const auto prepared = system.prepare(query);
  const auto chosen = chosen_documents(snapshot, options);
  std::vector<Field> fields;
  for (std::size_t s = 0; s < snapshot.segments.size(); ++s) {
    fields.push_back({&snapshot.segments[s], s, &snapshot.removed[s], chosen.empty() ? nullptr : &chosen[s]});
  }
  SearchResult result;
  const auto [pieces, enough] = count_pieces(snapshot, fields, row.shortest);
  result.compared = query.size() < row.shortest ? 0 : enough;
  result.not_compared = pieces - result.compared;
  if (options.k == 0 || result.compared == 0) return result;

  Contest::Bar bar;
  std::vector<Contest> contests;
  for (unsigned i = 0; i < std::max(1U, options.threads); ++i) contests.emplace_back(row, *prepared, options.k, bar);
  const auto deadline = options.time_limit ? std::chrono::steady_clock::now() + *options.time_limit
                                           : std::chrono::steady_clock::time_point::max();
  fast::Stop stop(deadline, options.stop);
  fast::Team team(contests, stop);
  const fast::ChosenMethod method = fast::choose_method({row, system, query});
  result.method = method.name;
  for (const Field& field : fields) method.method->run(field, team);
  result.complete = !stop.stopped();
  for (const Contest& contest : contests) {
    result.scored += contest.scored();
    result.bounded += contest.looked_at();
  }

  const auto entries = Contest::contenders(contests, snapshot.segments, bar.height());
  for (const Standing& place : in_order(snapshot, entries, *prepared, query, options.k, id_of)) {
    const index::Segment& segment = snapshot.segments[place.entry.segment];
    result.hits.push_back({place.piece, segment.voice_number(place.entry.document), {place.entry.score, true}, {}});
  }
  return result;
}

}  // namespace rondo
