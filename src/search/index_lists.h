#pragma once

#include <deque>
#include <functional>
#include <map>

#include "search/fast/method.h"
#include "search/search.h"
#include "search/selection.h"

namespace rondo {

/// Result lists of systems from an index: a source for list_of (mixed_list.h). Used for one search. If that is to stop
/// before it begins, nothing is compared.
class IndexLists {
 public:
  /// Where the line of a document is.
  struct Place {
    std::uint32_t segment = 0;  ///< kRest: the document is not one of the index
    index::DocumentId document = 0;
  };
  static constexpr std::uint32_t kRest = 0xFFFFFFFF;
  /// If the filters leave less than one in this many documents, all are scored without bounds.
  static constexpr std::size_t kWorthBounding = 64;

  struct Entry {
    std::uint64_t document = 0;  ///< key of the piece
    double score = 0;
    std::uint32_t voice = 0;
    std::uint32_t leaf = 0;  ///< whose voice it is and whose tie rule holds
    Place place;
    // Filled in by in_order.
    double tie = 0;
    std::size_t length_difference = 0;
  };

  /// `rest` has the pieces that the index does not store completely, for systems that compare whole pieces, in the
  /// order of their keys; null: such systems ignore them.
  IndexLists(const index::Snapshot& snapshot, const Corpus* rest, const Line& query, const SearchOptions& options);

  [[nodiscard]] static bool searched_as_one(const System& system);
  std::vector<Entry> list(const SystemRow& row, const System& system, std::size_t k);
  std::vector<std::optional<Entry>> scores(const SystemRow& row, const System& system,
                                           const std::vector<Entry>& documents);

  /// The k best in their final order.
  [[nodiscard]] std::vector<Entry> in_order(std::vector<Entry> entries, std::size_t k,
                                            const std::function<std::string(PieceKey)>& id_of);
  /// The line of a hit; of a piece with several voices, that of the best one.
  void line(const Entry& entry, Line& out) const;
  [[nodiscard]] bool stopped() const { return stop_.stopped(); }
  /// Adds the counts of this search.
  void count(SearchResult& result) const;

 private:
  struct Leaf {
    const SystemRow& row;
    std::unique_ptr<PreparedQuery> prepared;
    bool listed = false;                            ///< else it only scores what others have found
    std::vector<index::DocumentSet> not_reached{};  ///< by segment; empty sets: all were reached
    [[nodiscard]] bool compares(std::size_t query_notes) const { return listed && query_notes >= row.shortest; }
  };
  /// What became of a piece that the index does not store completely. Threads do not share it.
  enum class RestState : std::uint8_t { not_reached, too_short, compared };

  Leaf& prepare(const SystemRow& row, const System& system);
  [[nodiscard]] std::uint32_t last_leaf() const { return static_cast<std::uint32_t>(leaves_.size() - 1); }
  [[nodiscard]] bool takes_part(PieceKey piece) const;
  void list_index(Leaf& leaf, const System& system, std::size_t k, std::vector<Entry>& out);
  void list_by(const fast::ChosenMethod& method, Leaf& leaf, std::size_t k, std::vector<Entry>& out);
  /// The same on the GPU. False: it cannot be used for this, or failed and the CPU continues.
  [[nodiscard]] bool list_on_card(Leaf& leaf, const System& system, std::size_t k, std::vector<Entry>& out);
  /// Scores the documents that are not on the card.
  void offer_others(const Leaf& leaf, const System& system, fast::Workers& workers) const;
  void add_contenders(std::vector<fast::TopK>& top_ks, const fast::TopK::Threshold& threshold, Leaf& leaf,
                      std::vector<Entry>& out);
  void list_rest(const Leaf& leaf, std::vector<Entry>& out);
  void settle_ties(Entry& entry) const;
  /// Notes that the least demanding system of each kind needs; Mixture::kAll: none of that kind compares.
  struct Needed {
    std::size_t mono;
    std::size_t poly;
  };
  /// Pieces with voices that are long enough to be compared, of which no system has compared any.
  [[nodiscard]] std::size_t count_not_reached(const Needed& needed) const;

  const index::Snapshot& snapshot_;
  const Corpus* rest_;
  const Line& query_;
  const SearchOptions& options_;
  Selection selection_;
  fast::Stop stop_;
  std::deque<Leaf> leaves_;  ///< in the order of the parts
  std::vector<RestState> rest_states_;
  std::size_t scored_ = 0;
  std::size_t bounded_ = 0;
  std::string_view method_;
};

}  // namespace rondo
