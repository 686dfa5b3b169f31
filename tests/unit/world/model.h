#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rondo/melody/piece.h"
#include "search/corpus.h"
#include "search/search.h"
#include "similarity/mixture.h"
#include "study/study.h"
#include "unit/store/store_support.h"

/// What a server and its files must be, said in a few hundred lines: plain values, no file, no cache, no index.
namespace rondo::world {

using study::Answer;
using study::Participant;
using study::Ranking;
using study::Study;

/// Every text that must not reach a participant has this mark.
inline constexpr const char* kMark = "ZQ";

/// A piece of the world's collections; `edition` changes texts, and every third one also notes.
inline Piece piece(int number, int edition = 0) {
  Piece out = test::sample(number);
  const std::string name = std::to_string(number);
  out.id = kMark + name;
  Metadata& data = out.metadata;
  data.title = std::string(kMark) + " Menuet " + name + "/" + std::to_string(edition);
  data.composer = std::string(kMark) + " Telemann";
  data.source = data.shelfmark = data.library = data.uri = std::string(kMark) + ":" + name;
  out.source_text = data.source;
  out.voices = {test::melody(number + 31 * (edition / 3)), test::melody(number + 1)};
  return out;
}

/// One state of the collection.
class CollectionState {
 public:
  CollectionState(std::map<std::string, Piece> pieces, int file) : pieces_(std::move(pieces)), file_(file) {}

  [[nodiscard]] const std::map<std::string, Piece>& pieces() const { return pieces_; }
  /// Counts how often another file took the place of the collection.
  [[nodiscard]] int file() const { return file_; }
  /// Null: it is not there.
  [[nodiscard]] const Piece* find(const std::string& id) const {
    const auto found = pieces_.find(id);
    return found == pieces_.end() ? nullptr : &found->second;
  }

  struct Hit {
    std::string id;
    double score = 0;
    friend bool operator==(const Hit&, const Hit&) = default;
  };
  /// The whole list, by scoring every piece. The query is a melody as it is now, which may be another state.
  [[nodiscard]] std::vector<Hit> list(const std::string& system, const Piece& query) const {
    auto known = taught_.find(system);
    if (known == taught_.end()) known = taught_.emplace(system, teach(system)).first;
    const Corpus& corpus = corpus_of();
    SearchOptions options;
    options.k = corpus.documents.size();
    for (const Document& document : corpus.documents) {
      if (document.id == query.id) options.except = document.key;
    }
    const Line line = make_line(query.voices.front(), {});
    const SearchResult found = search(corpus, *known->second.row, *known->second.system, line, options);
    std::vector<Hit> out;
    for (const Found& hit : found.hits) {
      out.push_back({corpus.documents[static_cast<std::size_t>(hit.piece) - 1].id, hit.score.value});
    }
    return out;
  }

 private:
  const Corpus& corpus_of() const {
    if (corpus_) return *corpus_;
    corpus_.emplace();
    for (const auto& [id, one] : pieces_) {
      Document document = make_document(one);
      document.key = PieceKey{static_cast<std::int64_t>(corpus_->documents.size()) + 1};
      corpus_->documents.push_back(std::move(document));
    }
    return *corpus_;
  }
  [[nodiscard]] ChosenSystem teach(const std::string& name) const {
    ChosenSystem chosen = test::must(resolve_system(name, {}));
    corpus_of().teach(*chosen.system);
    return chosen;
  }

  std::map<std::string, Piece> pieces_;
  int file_;
  mutable std::optional<Corpus> corpus_;
  mutable std::map<std::string, ChosenSystem> taught_;
};
using State = std::shared_ptr<const CollectionState>;

inline bool same(const Piece& a, const Piece& b) {
  return a.id == b.id && a.metadata == b.metadata && a.voices == b.voices && a.source_text == b.source_text;
}
inline bool same(const std::map<std::string, Piece>& a, const std::map<std::string, Piece>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](const auto& x, const auto& y) { return same(x.second, y.second); });
}

/// A session that somebody was given.
struct Login {
  std::string csrf;
  std::string study;        ///< empty: the researcher's
  std::int64_t number = 0;  ///< of the participant
  std::int64_t ends = 0;    ///< on the calendar, in seconds
};

/// What the file of the studies must contain.
struct Durable {
  std::map<std::string, Study> studies;
  std::map<std::string, Login> logins;                                ///< by token
  std::map<std::pair<std::string, std::int64_t>, std::string> codes;  ///< by study and number
  std::map<std::string, std::string> links;                           ///< open ones, by study

  Participant* find(const std::string& study, std::int64_t number) {
    for (Participant& one : studies.at(study).participants) {
      if (one.number == number) return &one;
    }
    return nullptr;
  }
  Participant& at(const std::string& study, std::int64_t number) {
    Participant* found = find(study, number);
    if (found == nullptr) throw std::logic_error("the model has no such participant");
    return *found;
  }
  std::int64_t add(const std::string& study, std::string label, std::string origin) {
    std::vector<Participant>& people = studies.at(study).participants;
    Participant one;
    one.number = people.empty() ? 1 : people.back().number + 1;
    one.label = std::move(label);
    one.origin = std::move(origin);
    people.push_back(one);
    return one.number;
  }
  void end_logins(const std::string& study, std::int64_t number) {
    std::erase_if(logins,
                  [&](const auto& login) { return login.second.study == study && login.second.number == number; });
  }
  void withdraw(const std::string& study, std::int64_t number) {
    std::erase_if(studies.at(study).participants, [&](const Participant& one) { return one.number == number; });
    ++studies.at(study).withdrawn;
    end_logins(study, number);
    codes.erase({study, number});
  }
};

inline Answer* answer_of(Participant& one, std::size_t query) {
  for (Answer& answer : one.answers) {
    if (answer.query == query) return &answer;
  }
  return nullptr;
}

inline const study::Move* move_of(const Participant& one, std::size_t query, const std::string& save) {
  for (const study::Move& move : one.moves) {
    if (move.query == query && move.save == save) return &move;
  }
  return nullptr;
}

/// What a save with this name and order makes of a participant.
inline void save(Participant& one, std::size_t query, const std::string& name, const Ranking& ranking, bool done) {
  Answer* answer = answer_of(one, query);
  if (answer == nullptr) answer = &one.answers.emplace_back();
  *answer = {query, answer->version + 1, ranking, done, {}};
  one.moves.push_back({query, name, answer->version, ranking, done, {}});
}

/// Without what the model does not foretell: times.
inline Study timeless(Study study) {
  study.settings.created.clear();
  for (Participant& one : study.participants) {
    one.joined = one.last_seen = one.consented = one.consented.empty() ? "" : "yes";
    for (Answer& answer : one.answers) answer.saved.clear();
    for (study::Move& move : one.moves) move.at.clear();
    std::sort(one.answers.begin(), one.answers.end(),
              [](const Answer& a, const Answer& b) { return a.query < b.query; });
    std::sort(one.moves.begin(), one.moves.end(), [](const study::Move& a, const study::Move& b) {
      return std::pair(a.query, a.version) < std::pair(b.query, b.version);
    });
  }
  return study;
}

inline bool same(const Study& a, const Study& b) { return timeless(a) == timeless(b); }

/// What two studies differ in, for people.
inline std::string difference(const Study& model, const Study& file) {
  const Study a = timeless(model);
  const Study b = timeless(file);
  const std::string where = a.settings.name + ": ";
  if (!(a.settings == b.settings)) return where + "settings";
  if (!(a.queries == b.queries)) return where + "queries";
  if (a.withdrawn != b.withdrawn) return where + "number of withdrawals";
  if (a.participants.size() != b.participants.size()) {
    return where + std::to_string(b.participants.size()) + " participants instead of " +
           std::to_string(a.participants.size());
  }
  for (std::size_t i = 0; i < a.participants.size(); ++i) {
    const Participant& x = a.participants[i];
    const Participant& y = b.participants[i];
    const std::string who = where + "participant " + std::to_string(x.number) + ": ";
    if (x.number != y.number || x.label != y.label || x.origin != y.origin) return who + "who it is";
    if (x.consented != y.consented) return who + "consent";
    if (x.excluded != y.excluded) return who + "left out";
    if (!(x.background == y.background)) return who + "background";
    if (!(x.answers == y.answers)) return who + "answers";
    if (!(x.moves == y.moves)) {
      return who + std::to_string(y.moves.size()) + " moves instead of " + std::to_string(x.moves.size());
    }
  }
  return {};
}

}  // namespace rondo::world
