#include "search/index_lists.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "base/interrupt.h"
#include "search/best_voice.h"
#include "search/card/card_search.h"
#include "search/mixed_list.h"
#include "similarity/mixture.h"

namespace rondo {

using fast::DocumentId;
using fast::TopK;

namespace {

std::chrono::steady_clock::time_point deadline_of(const SearchOptions& options) {
  if (!options.time_limit) return std::chrono::steady_clock::time_point::max();
  return std::chrono::steady_clock::now() + *options.time_limit;
}

}  // namespace

IndexLists::IndexLists(const index::Snapshot& snapshot, const Corpus* rest, const Line& query,
                       const SearchOptions& options)
    : snapshot_(snapshot),
      rest_(rest),
      query_(query),
      options_(options),
      selection_(snapshot, options),
      stop_(deadline_of(options), options.stop) {
  if (rest != nullptr) rest_states_.assign(rest->documents.size(), RestState::not_reached);
}

bool IndexLists::searched_as_one(const System& system) {
  return !std::holds_alternative<ExhaustivePlan>(system.plan());
}

IndexLists::Leaf& IndexLists::prepare(const SystemRow& row, const System& system) {
  return leaves_.emplace_back(Leaf{row, system.prepare(query_)});
}

bool IndexLists::takes_part(PieceKey piece) const {
  if (options_.except == piece) return false;
  return !options_.among || std::binary_search(options_.among->begin(), options_.among->end(), piece);
}

std::vector<IndexLists::Entry> IndexLists::list(const SystemRow& row, const System& system, std::size_t k) {
  Leaf& leaf = prepare(row, system);
  leaf.listed = true;
  leaf.not_reached.resize(snapshot_.segments.size());
  std::vector<Entry> out;
  if (query_.size() >= row.shortest) list_index(leaf, system, k, out);
  if (row.polyphonic && rest_ != nullptr) list_rest(leaf, out);
  keep_best(out, k);
  return out;
}

void IndexLists::list_index(Leaf& leaf, const System& system, std::size_t k, std::vector<Entry>& out) {
  if (stop_.now()) {
    std::vector<TopK> none;
    fast::Workers workers(none, stop_, leaf.not_reached);
    for (const fast::SegmentView& view : selection_.views(leaf.row.polyphonic)) workers.leave_all(view);
    method_ = leaves_.size() == 1 ? "" : "merged lists";
    return;
  }
  // Of few documents each is scored sooner than all are bounded. A mixture's score is not one of two melodies alone.
  const bool few = selection_.documents() * kWorthBounding < snapshot_.documents() && system.mixture() == nullptr;
  if (!few && list_on_card(leaf, system, k, out)) return;
  list_by(few ? fast::exhaustive_method(leaf.row, query_) : fast::choose_method(leaf.row, system, query_), leaf, k,
          out);
}

void IndexLists::list_by(const fast::ChosenMethod& method, Leaf& leaf, std::size_t k, std::vector<Entry>& out) {
  TopK::Threshold threshold;
  if (options_.least_score) threshold.raise(*options_.least_score);
  std::vector<TopK> top_ks;
  for (unsigned i = 0; i < std::max(1U, options_.threads); ++i)
    top_ks.emplace_back(leaf.row, *leaf.prepared, k, threshold, stop_);
  fast::Workers workers(top_ks, stop_, leaf.not_reached);
  method_ = leaves_.size() == 1 ? method.name : "merged lists";
  const std::vector<fast::SegmentView>& views = selection_.views(leaf.row.polyphonic);
  method.method->survey(views, workers);
  for (const fast::SegmentView& view : views) method.method->run(view, workers);
  add_contenders(top_ks, threshold, leaf, out);
}

void IndexLists::add_contenders(std::vector<TopK>& top_ks, const TopK::Threshold& threshold, Leaf& leaf,
                                std::vector<Entry>& out) {
  for (const TopK& top_k : top_ks) {
    scored_ += top_k.scored();
    bounded_ += top_k.looked_at();
    if (stop_.stopped()) top_k.settle(snapshot_.segments, leaf.not_reached);
  }
  const std::vector<TopK::Entry> contenders = TopK::contenders(top_ks, snapshot_.segments, threshold.value());
  out.reserve(out.size() + contenders.size());
  for (const TopK::Entry& entry : contenders) {
    const index::Segment& segment = snapshot_.segments[entry.segment];
    Entry& added = out.emplace_back();
    added.document = static_cast<std::uint64_t>(segment.piece(entry.document));
    added.score = entry.score;
    added.voice = segment.voice_number(entry.document);
    added.leaf = last_leaf();
    added.place = {static_cast<std::uint32_t>(entry.segment), entry.document};
  }
}

void IndexLists::offer_others(const Leaf& leaf, const System& system, fast::Workers& workers) const {
  // Fewer are compared sooner than a method passes over all documents to find them.
  constexpr std::size_t kFew = 1000;
  const std::vector<fast::SegmentView>& views = selection_.views(leaf.row.polyphonic);
  std::optional<fast::ChosenMethod> method;
  std::optional<fast::ChosenMethod> method_for_few;
  std::vector<DocumentId> left;
  for (const fast::SegmentView& view : views) {
    left.clear();
    for (const DocumentId d : options_.card->search->others(view.number)) {
      if (view.has(d)) left.push_back(d);
    }
    if (left.empty()) continue;
    if (left.size() <= kFew) {
      if (!method_for_few) method_for_few = fast::choose_method_for_few(leaf.row, system, query_);
      method_for_few->method->offer_few(view, left, workers.first());
      continue;
    }
    if (!method) {
      method = fast::choose_method(leaf.row, system, query_);
      method->method->survey(views, workers);
    }
    index::DocumentSet chosen(view.segment->size());
    for (const DocumentId d : left) chosen.add(d);
    fast::SegmentView own = view;
    own.chosen = &chosen;
    method->method->run(own, workers);
  }
}

bool IndexLists::list_on_card(Leaf& leaf, const System& system, std::size_t k, std::vector<Entry>& out) {
  CardUse* const card = options_.card;
  if (card == nullptr || card->failure || leaf.row.polyphonic || !card->search->has(snapshot_, system.plan()) ||
      !card->search->takes(query_)) {
    return false;
  }
  const std::vector<fast::SegmentView>& views = selection_.views(false);
  // Of a piece only the best voice is a hit: where pieces have several, more documents must be had for k pieces.
  for (std::size_t wanted = k;; wanted *= 4) {
    auto answer = card->search->search(query_, wanted, views);
    if (!answer) {
      card->failure = std::move(answer.error());
      return !card->cpu_goes_on;
    }
    out.clear();
    TopK::Threshold threshold;
    std::vector<TopK> top_ks;
    for (unsigned i = 0; i < std::max(1U, options_.threads); ++i)
      top_ks.emplace_back(leaf.row, *leaf.prepared, k, threshold, stop_);
    fast::Workers workers(top_ks, stop_, leaf.not_reached);
    method_ = "graphics card";
    double lowest = std::numeric_limits<double>::infinity();
    for (const CardHit& hit : answer->hits) {
      lowest = std::min(lowest, hit.score);
      top_ks.front().offer_scored(views[hit.segment], hit.document, hit.score);
    }
    const bool all = answer->hits.size() < wanted;
    card->sample = std::move(answer->sample);
    offer_others(leaf, system, workers);
    add_contenders(top_ks, threshold, leaf, out);
    // The card has kept back what scores less than the lowest, and that is below the threshold.
    if (all || threshold.value() >= lowest || stop_.stopped()) return true;
  }
}

void IndexLists::list_rest(const Leaf& leaf, std::vector<Entry>& out) {
  for (std::size_t i = 0; i < rest_->documents.size(); ++i) {
    const Document& document = rest_->documents[i];
    if (!takes_part(document.key)) continue;
    if (stop_.now()) return;
    const InterruptScope scope([](void* stop) { return static_cast<fast::Stop*>(stop)->now(); }, &stop_);
    const BestVoice best = best_voice(leaf.row, *leaf.prepared, document);
    if (stop_.stopped()) return;  // perhaps half a score
    ++scored_;
    rest_states_[i] = std::max(rest_states_[i], best.score.comparable ? RestState::compared : RestState::too_short);
    if (!best.score.comparable || (leaf.row.zero_is_none && best.score.value <= 0)) continue;
    Entry& added = out.emplace_back();
    added.document = static_cast<std::uint64_t>(document.key);
    added.score = best.score.value;
    added.voice = best.voice;
    added.leaf = last_leaf();
    added.place = {kRest, static_cast<DocumentId>(i)};
  }
}

std::vector<std::optional<IndexLists::Entry>> IndexLists::scores(const SystemRow& row, const System& system,
                                                                 const std::vector<Entry>& documents) {
  const Leaf& leaf = prepare(row, system);
  // Where the voices are of pieces that have several: found in one pass over the index, and only if there are any.
  std::unordered_map<std::uint64_t, std::vector<Place>> voices;
  for (const Entry& entry : documents) {
    const bool alone =
        entry.place.segment == kRest || snapshot_.segments[entry.place.segment].alone(entry.place.document);
    if (!alone) voices.try_emplace(entry.document);
  }
  for (std::uint32_t s = 0; !voices.empty() && s < snapshot_.segments.size(); ++s) {
    const index::Segment& segment = snapshot_.segments[s];
    for (DocumentId d = 0; d < segment.size(); ++d) {
      if (segment.alone(d) || snapshot_.removed[s].has(d)) continue;
      const auto found = voices.find(static_cast<std::uint64_t>(segment.piece(d)));
      if (found != voices.end()) found->second.push_back({s, d});
    }
  }
  Line line;
  const auto consider = [&](const Place& place, std::optional<Entry>& best, const Entry& entry) {
    const index::Segment& segment = snapshot_.segments[place.segment];
    segment.line(place.document, line);
    const Score score = leaf.prepared->score(line);
    if (stop_.stopped()) return;  // perhaps half a score
    ++scored_;
    if (!score.comparable || (row.zero_is_none && score.value <= 0)) return;
    const std::uint32_t voice = segment.voice_number(place.document);
    if (best && (score.value < best->score || (score.value == best->score && voice > best->voice))) return;
    best = entry;
    best->score = score.value;
    best->voice = voice;
    best->leaf = last_leaf();
    best->place = place;
  };
  std::vector<std::optional<Entry>> out(documents.size());
  const InterruptScope scope([](void* stop) { return static_cast<fast::Stop*>(stop)->now(); }, &stop_);
  for (std::size_t i = 0; i < documents.size() && !stop_.now(); ++i) {
    const Entry& entry = documents[i];
    if (entry.place.segment == kRest) {
      const BestVoice best = best_voice(row, *leaf.prepared, rest_->documents[entry.place.document]);
      if (stop_.stopped()) break;
      ++scored_;
      if (!best.score.comparable || (row.zero_is_none && best.score.value <= 0)) continue;
      out[i] = entry;
      out[i]->score = best.score.value;
      out[i]->voice = best.voice;
      out[i]->leaf = last_leaf();
      continue;
    }
    const auto several = voices.find(entry.document);
    if (several == voices.end()) {
      consider(entry.place, out[i], entry);
    } else {
      for (const Place& place : several->second) consider(place, out[i], entry);
    }
  }
  return out;
}

void IndexLists::line(const Entry& entry, Line& out) const {
  if (entry.place.segment == kRest) {
    out = rest_->documents[entry.place.document].voices[entry.voice];
  } else {
    snapshot_.segments[entry.place.segment].line(entry.place.document, out);
  }
}

void IndexLists::settle_ties(Entry& entry) const {
  const Leaf& leaf = leaves_[entry.leaf];
  std::size_t notes = 0;
  if (entry.place.segment == kRest) {
    const Document& document = rest_->documents[entry.place.document];
    notes = document.voices[entry.voice].size();
    entry.tie = leaf.row.polyphonic ? leaf.prepared->tie_break(document.points)
                                    : leaf.prepared->tie_break(document.voices[entry.voice]);
  } else if (!leaf.prepared->breaks_ties()) {
    // Where much is alike, thousands of documents can be equal.
    notes = snapshot_.segments[entry.place.segment].notes_of(entry.place.document).count;
  } else {
    thread_local Line shown;
    line(entry, shown);
    notes = shown.size();
    entry.tie = leaf.prepared->tie_break(shown);
  }
  entry.length_difference = notes > query_.size() ? notes - query_.size() : query_.size() - notes;
}

std::vector<IndexLists::Entry> IndexLists::in_order(std::vector<Entry> entries, std::size_t k,
                                                    const std::function<std::string(PieceKey)>& id_of) {
  for (Entry& entry : entries) settle_ties(entry);
  std::map<std::uint64_t, std::string> ids;
  const auto id = [&](const Entry& entry) -> const std::string& {
    const auto [found, is_new] = ids.try_emplace(entry.document);
    if (is_new) {
      found->second = entry.place.segment == kRest ? rest_->documents[entry.place.document].id
                                                   : id_of(PieceKey{static_cast<std::int64_t>(entry.document)});
    }
    return found->second;
  };
  const auto lesser_id = [&](const Entry& a, const Entry& b) {
    if (a.place.segment == b.place.segment && a.place.segment != kRest) {
      const index::Segment& segment = snapshot_.segments[a.place.segment];
      return segment.id_order(a.place.document) < segment.id_order(b.place.document);
    }
    return id_of ? id(a) < id(b) : a.document < b.document;
  };
  const auto better = [&](const Entry& a, const Entry& b) {
    if (a.score != b.score) return a.score > b.score;
    // Two tie rules are not to be compared; what the first part found goes first.
    if (a.leaf != b.leaf) return a.leaf < b.leaf;
    if (a.tie != b.tie) return a.tie > b.tie;
    if (a.length_difference != b.length_difference) return a.length_difference < b.length_difference;
    return lesser_id(a, b);
  };
  const std::size_t wanted = std::min(k, entries.size());
  std::partial_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(wanted), entries.end(), better);
  entries.resize(wanted);
  return entries;
}

std::size_t IndexLists::count_not_reached(const Needed& needed) const {
  const auto reached = [&](std::size_t s, DocumentId d, std::size_t notes, bool whole) {
    return std::any_of(leaves_.begin(), leaves_.end(), [&](const Leaf& leaf) {
      return leaf.compares(query_.size()) && notes >= leaf.row.shortest && (whole || !leaf.row.polyphonic) &&
             !leaf.not_reached[s].has(d);
    });
  };
  std::size_t count = 0;
  // Pieces that may have several voices, or be among the rest.
  std::unordered_set<std::int64_t> left;
  std::unordered_set<std::int64_t> compared;
  for (const fast::SegmentView& view : selection_.views(false)) {
    const index::Segment& segment = *view.segment;
    for (std::size_t r = 0; r < segment.runs().size(); ++r) {
      const std::size_t notes = segment.runs()[r].notes;
      for (DocumentId d = segment.runs()[r].first_document; d < segment.run_end(r); ++d) {
        const bool whole = snapshot_.whole[view.number].has(d);
        if (notes < (whole ? std::min(needed.mono, needed.poly) : needed.mono)) continue;  // too short
        if (!view.has(d)) continue;
        const bool done = reached(view.number, d, notes, whole);
        if (!whole) {
          (done ? compared : left).insert(static_cast<std::int64_t>(segment.piece(d)));
        } else if (!done) {
          ++count;
        }
      }
    }
  }
  for (std::size_t i = 0; i < rest_states_.size(); ++i) {
    if (rest_states_[i] == RestState::compared) compared.insert(static_cast<std::int64_t>(rest_->documents[i].key));
  }
  std::erase_if(left, [&](std::int64_t piece) { return compared.contains(piece); });
  return count + left.size();
}

void IndexLists::count(SearchResult& result) const {
  result.complete = !stop_.stopped();
  Needed needed{Mixture::kAll, Mixture::kAll};
  bool voices = false;  // whether a system compares them
  for (const Leaf& leaf : leaves_) {
    voices = voices || !leaf.row.polyphonic;
    if (!leaf.compares(query_.size())) continue;
    std::size_t& least = leaf.row.polyphonic ? needed.poly : needed.mono;
    least = std::min(least, leaf.row.shortest);
  }
  const std::size_t pieces = !voices && rest_ == nullptr ? selection_.whole_with(0) : selection_.pieces();
  // What is compared if there is time for it.
  std::size_t all = 0;
  const std::size_t least = std::min(needed.mono, needed.poly);
  if (least != Mixture::kAll) all = selection_.whole_with(least);
  if (needed.mono != Mixture::kAll) all += selection_.others_with(needed.mono);
  std::size_t rest_left = 0;
  for (std::size_t i = 0; i < rest_states_.size(); ++i) {
    const Document& document = rest_->documents[i];
    const bool counted = std::any_of(document.voices.begin(), document.voices.end(),
                                     [&](const Line& voice) { return voice.size() >= needed.mono; });
    if (counted) continue;
    if (rest_states_[i] == RestState::compared) ++all;
    // It may turn out to be too short, but nobody has looked.
    const bool left = rest_states_[i] == RestState::not_reached && needed.poly != Mixture::kAll;
    if (left && takes_part(document.key)) ++rest_left;
  }
  const std::size_t left = result.complete ? 0 : count_not_reached(needed);
  result.compared = all - left;
  result.not_reached = left + rest_left;
  result.too_short = pieces - all - rest_left;
  result.filtered_out = selection_.filtered_out();
  result.scored = scored_;
  result.bounded = bounded_;
  result.method = method_;
}

}  // namespace rondo
