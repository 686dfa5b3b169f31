#include "rondo/search/search.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "rondo/search/rank.h"
#include "search/fast/method.h"
#include "search/fast/orio_digest.h"

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

/// Pieces, by key, as bits: asked once for every document, so it must cost next to nothing.
class PieceSet {
 public:
  explicit PieceSet(const std::vector<PieceKey>& ascending) {
    if (ascending.empty()) return;
    first_ = static_cast<std::int64_t>(ascending.front());
    const auto last = static_cast<std::int64_t>(ascending.back());
    bits_.assign(static_cast<std::size_t>(last - first_) + 1, false);
    for (const PieceKey key : ascending)
      bits_[static_cast<std::size_t>(static_cast<std::int64_t>(key) - first_)] = true;
  }
  [[nodiscard]] bool has(PieceKey key) const {
    const std::int64_t at = static_cast<std::int64_t>(key) - first_;
    return at >= 0 && static_cast<std::size_t>(at) < bits_.size() && bits_[static_cast<std::size_t>(at)];
  }

 private:
  std::int64_t first_ = 0;
  std::vector<bool> bits_;
};

/// What a search looks at.
struct Selection {
  const std::vector<index::DocumentSet>* documents = nullptr;  ///< by segment; null: all that are there
  std::vector<index::DocumentSet> own{};                       ///< where `documents` is made for this search
  std::size_t pieces = 0;
  std::size_t long_enough = 0;
};

/// `whole_only`: of the documents that are all of their piece.
Selection select_among(const index::Snapshot& snapshot, const std::vector<PieceKey>& among, std::size_t shortest,
                       bool whole_only) {
  Selection out;
  const PieceSet wanted(among);
  std::unordered_map<std::int64_t, bool> several;  // pieces of more than one voice: whether one is long enough
  for (std::size_t s = 0; s < snapshot.segments.size(); ++s) {
    const index::Segment& segment = snapshot.segments[s];
    index::DocumentSet& set = out.own.emplace_back(segment.size());
    for (std::size_t r = 0; r < segment.runs().size(); ++r) {
      const bool enough = segment.runs()[r].notes >= shortest;
      for (DocumentId d = segment.runs()[r].first_document; d < segment.run_end(r); ++d) {
        if (!wanted.has(segment.piece(d)) || snapshot.removed[s].has(d)) continue;
        if (whole_only && !segment.whole(d)) continue;
        set.add(d);
        if (segment.alone(d)) {
          ++out.pieces;
          out.long_enough += enough ? 1 : 0;
        } else {
          bool& any = several[static_cast<std::int64_t>(segment.piece(d))];
          any = any || enough;
        }
      }
    }
  }
  out.pieces += several.size();
  out.long_enough += static_cast<std::size_t>(
      std::count_if(several.begin(), several.end(), [](const auto& piece) { return piece.second; }));
  return out;
}

/// The longest voice of a piece that takes part, in notes; nothing: it does not.
std::optional<std::size_t> longest_voice(const std::vector<Field>& fields, PieceKey piece) {
  std::optional<std::size_t> longest;
  for (const Field& field : fields) {
    for (const DocumentId d : field.segment->documents_of(piece)) {
      if (field.has(d)) longest = std::max<std::size_t>(longest.value_or(0), field.segment->notes_of(d).count);
    }
  }
  return longest;
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
  const SearchPlan plan = system.plan();
  if (const auto* windows = std::get_if<WindowPlan>(&plan); windows != nullptr && windows->counts != nullptr) {
    *windows->counts = snapshot.threes;
    return;
  }
  Line line;
  for (std::size_t s = 0; s < snapshot.segments.size(); ++s) {
    for (DocumentId d = 0; d < snapshot.segments[s].size(); ++d) {
      if (snapshot.removed[s].has(d)) continue;
      snapshot.segments[s].line(d, line);
      system.learn(line);
    }
  }
  fast::digest_for(snapshot, system);
}

bool searches_index(const System& system) {
  return system.mixture() == nullptr || !std::holds_alternative<ExhaustivePlan>(system.plan());
}

SearchResult search(const Corpus& corpus, const SystemRow& row, const System& system, const Line& query,
                    const SearchOptions& options) {
  const auto& documents = corpus.documents;
  std::vector<char> chosen;
  if (options.among || options.except) {
    chosen.reserve(documents.size());
    for (const Document& document : documents) {
      const bool among =
          !options.among || std::binary_search(options.among->begin(), options.among->end(), document.key);
      chosen.push_back(among && options.except != document.key ? 1 : 0);
    }
  }
  const Ranking ranking = rank_all(row, system, query, corpus,
                                   {.k = options.k,
                                    .threads = std::max(1U, options.threads),
                                    .chosen = chosen,
                                    .time_limit = options.time_limit,
                                    .stop = options.stop});
  SearchResult result;
  result.compared = ranking.compared;
  result.not_compared = ranking.not_compared;
  result.scored = ranking.compared;
  result.complete = ranking.complete;
  result.method = "exhaustive";
  for (const Hit& hit : ranking.hits) result.hits.push_back({documents[hit.document].key, hit.voice, hit.score, {}});
  return result;
}

namespace {

Selection select_all(const index::Snapshot& snapshot, std::size_t shortest, bool whole_only) {
  if (!whole_only) return {nullptr, {}, snapshot.pieces, snapshot.pieces_with(shortest)};
  return {&snapshot.whole, {}, snapshot.whole_with(0), snapshot.whole_with(shortest)};
}

/// Also gives what decided between the hits.
SearchResult search_index(const Index& index, const SystemRow& row, const PreparedQuery& prepared, const System& system,
                          const Line& query, const SearchOptions& options,
                          const std::function<std::string(PieceKey)>& id_of, std::vector<Standing>& places) {
  const index::Snapshot& snapshot = index.snapshot();
  Selection selection = options.among ? select_among(snapshot, *options.among, row.shortest, row.polyphonic)
                                      : select_all(snapshot, row.shortest, row.polyphonic);
  if (options.among) selection.documents = &selection.own;
  std::vector<Field> fields;
  for (std::size_t s = 0; s < snapshot.segments.size(); ++s) {
    fields.push_back({&snapshot.segments[s],
                      s,
                      &snapshot.removed[s],
                      selection.documents == nullptr ? nullptr : &(*selection.documents)[s],
                      {}});
  }
  if (options.except) {
    if (const auto longest = longest_voice(fields, *options.except)) {
      --selection.pieces;
      selection.long_enough -= *longest >= row.shortest ? 1 : 0;
    }
    for (Field& field : fields) field.except = field.segment->documents_of(*options.except);
  }
  SearchResult result;
  result.compared = query.size() < row.shortest ? 0 : selection.long_enough;
  result.not_compared = selection.pieces - result.compared;
  if (options.k == 0 || result.compared == 0) return result;

  Contest::Bar bar;
  std::vector<Contest> contests;
  for (unsigned i = 0; i < std::max(1U, options.threads); ++i) contests.emplace_back(row, prepared, options.k, bar);
  const auto deadline = options.time_limit ? std::chrono::steady_clock::now() + *options.time_limit
                                           : std::chrono::steady_clock::time_point::max();
  fast::Stop stop(deadline, options.stop);
  fast::Team team(contests, stop);
  const fast::ChosenMethod method = fast::choose_method(row, system, query);
  result.method = method.name;
  method.method->survey(fields, team);
  for (const Field& field : fields) method.method->run(field, team);
  result.complete = !stop.stopped();
  for (const Contest& contest : contests) {
    result.scored += contest.scored();
    result.bounded += contest.looked_at();
  }

  const auto entries = Contest::contenders(contests, snapshot.segments, bar.height());
  places = in_order(snapshot, entries, prepared, query, options.k, id_of);
  for (const Standing& place : places) {
    const index::Segment& segment = snapshot.segments[place.entry.segment];
    result.hits.push_back({place.piece, segment.voice_number(place.entry.document), {place.entry.score, true}, {}});
  }
  return result;
}

/// One list of two that are each in order.
class Merger {
 public:
  Merger(const PreparedQuery& prepared, const Line& query) : prepared_(prepared), query_(query) {}

  void add(const Found& found, const Standing& place, std::string id) { all_.push_back({found, place, std::move(id)}); }
  /// A hit among whole pieces.
  void add(const Found& found, const Document& document) {
    Standing place;
    place.entry.score = found.score.value;
    place.tie = prepared_.tie_break(document.points);
    const std::size_t notes = document.voices[found.voice].size();
    place.length_difference = notes > query_.size() ? notes - query_.size() : query_.size() - notes;
    all_.push_back({found, place, document.id});
  }

  [[nodiscard]] std::vector<Found> best(std::size_t k) {
    std::stable_sort(all_.begin(), all_.end(), [](const Placed& a, const Placed& b) {
      if (better(a.place, b.place) || better(b.place, a.place)) return better(a.place, b.place);
      return a.id < b.id;
    });
    std::vector<Found> out;
    for (std::size_t i = 0; i < std::min(k, all_.size()); ++i) out.push_back(all_[i].found);
    return out;
  }

 private:
  struct Placed {
    Found found;
    Standing place;
    std::string id;
  };
  const PreparedQuery& prepared_;
  const Line& query_;
  std::vector<Placed> all_;
};

}  // namespace

SearchResult search(const Index& index, const SystemRow& row, const System& system, const Line& query,
                    const SearchOptions& options, const std::function<std::string(PieceKey)>& id_of) {
  const auto prepared = system.prepare(query);
  std::vector<Standing> places;
  return search_index(index, row, *prepared, system, query, options, id_of, places);
}

SearchResult search(const Index& index, const Corpus& rest, const SystemRow& row, const System& system,
                    const Line& query, const SearchOptions& options,
                    const std::function<std::string(PieceKey)>& id_of) {
  const auto begin = std::chrono::steady_clock::now();
  const SearchResult scored = search(rest, row, system, query, options);
  SearchOptions left = options;
  if (left.time_limit) {
    const auto spent = std::chrono::steady_clock::now() - begin;
    *left.time_limit -= std::min(*left.time_limit, std::chrono::duration_cast<std::chrono::milliseconds>(spent));
  }
  const auto prepared = system.prepare(query);
  std::vector<Standing> places;
  SearchResult result = search_index(index, row, *prepared, system, query, left, id_of, places);
  Merger merger(*prepared, query);
  for (std::size_t i = 0; i < result.hits.size(); ++i) {
    merger.add(result.hits[i], places[i], id_of ? id_of(result.hits[i].piece) : std::string());
  }
  for (const Found& hit : scored.hits) {
    const auto found = std::lower_bound(rest.documents.begin(), rest.documents.end(), hit.piece,
                                        [](const Document& document, PieceKey key) { return document.key < key; });
    merger.add(hit, *found);
  }
  result.hits = merger.best(options.k);
  result.compared += scored.compared;
  result.not_compared += scored.not_compared;
  result.scored += scored.scored;
  result.complete = result.complete && scored.complete;
  return result;
}

}  // namespace rondo
