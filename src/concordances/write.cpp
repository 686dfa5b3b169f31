#include "concordances/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/csv.h"
#include "concordances/markup.h"
#include "concordances/read_each.h"

namespace rondo::concordances {
namespace {

/// By melody the number of its group from 1; 0: none.
std::vector<std::size_t> group_numbers(const Shown& shown) {
  std::vector<std::size_t> out(shown.found.melodies.size(), 0);
  for (std::size_t g = 0; g < shown.grouping.groups.size(); ++g) {
    for (const std::uint32_t m : shown.grouping.groups[g].members) out[m] = g + 1;
  }
  return out;
}

void add_source(std::vector<std::string>& cells, const Source& source) {
  const Metadata& m = source.metadata;
  for (const std::string& text : {m.title, m.composer, m.library, m.shelfmark, m.year}) cells.push_back(text);
}

std::string cell_of(const std::optional<double>& number) { return number ? fmt::format("{}", *number) : ""; }

nlohmann::ordered_json json_of(const std::optional<double>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
}

/// Null: there is none.
const Decision* decision_of(const Shown& shown, const Pair& pair) {
  if (shown.decisions == nullptr) return nullptr;
  const MelodyRef& a = shown.found.melodies[pair.a];
  const MelodyRef& b = shown.found.melodies[pair.b];
  return a.second || b.second ? nullptr : shown.decisions->find({a.id, a.voice}, {b.id, b.voice});
}

/// What an editor rejected is no concordance: it is not handed on to other catalogues.
bool is_rejected(const Shown& shown, const Pair& pair) {
  const Decision* const decision = decision_of(shown, pair);
  return decision != nullptr && decision->verdict == Verdict::rejected;
}

/// A name that is valid in Turtle: of a melody, or of the tune that it is the centre of.
std::string urn_of(std::string_view kind, const MelodyRef& melody) {
  std::string out = fmt::format("urn:rondo:{}:", kind);
  for (const char c : melody.id) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                       std::string_view("-._").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out + fmt::format(":{}", melody.voice + 1);
}

/// An address for a melody: its own, or a name.
std::string address_of(const MelodyRef& melody, const Source& source) {
  const std::string& uri = source.metadata.uri;
  const bool valid = !uri.empty() && std::none_of(uri.begin(), uri.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || std::string_view("<>\"{}|\\^`").find(c) != std::string_view::npos;
  });
  if (!valid) return urn_of(melody.second ? "second" : "melody", melody);
  if (melody.voice == 0) return uri;
  return fmt::format("{}{}voice{}", uri, uri.find('#') == std::string::npos ? '#' : '-', melody.voice + 1);
}

std::string turtle_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n' || c == '\r' || c == '\t') {
      out += ' ';
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

Result<std::vector<Source>> read_sources(const Concordances& found, Collection& collection, Collection* against,
                                         unsigned threads) {
  std::vector<Source> out(found.melodies.size());
  const auto read = [&](Collection& first, Collection* second, std::size_t i) -> Result<void> {
    const MelodyRef& melody = found.melodies[i];
    auto piece = (melody.second ? *second : first).get(melody.piece);
    if (!piece) return fail(piece.error());
    if (melody.voice >= piece->voices.size()) {
      return fail("voice-missing", fmt::format("{} has no voice {}", melody.id, melody.voice + 1));
    }
    out[i] = {std::move(piece->metadata), std::move(piece->voices[melody.voice])};
    return {};
  };
  if (auto done = read_each(collection, against, out.size(), threads, read); !done) return fail(done.error());
  return out;
}

void write_pairs_csv(std::ostream& out, const Shown& shown) {
  out << csv_line({"id",
                   "voice",
                   "other_id",
                   "other_voice",
                   "relation",
                   "score",
                   "score_of_other",
                   "score_of_this",
                   "probability",
                   "group",
                   "decision",
                   "note",
                   "title",
                   "composer",
                   "library",
                   "shelfmark",
                   "year",
                   "other_title",
                   "other_composer",
                   "other_library",
                   "other_shelfmark",
                   "other_year"});
  const auto group = group_numbers(shown);
  for (const Pair& pair : shown.found.pairs) {
    const MelodyRef& a = shown.found.melodies[pair.a];
    const MelodyRef& b = shown.found.melodies[pair.b];
    const bool together = group[pair.a] != 0 && group[pair.a] == group[pair.b];
    std::vector<std::string> cells = {a.id,
                                      std::to_string(a.voice + 1),
                                      b.id,
                                      std::to_string(b.voice + 1),
                                      std::string(to_string(pair.relation)),
                                      fmt::format("{}", pair.score()),
                                      fmt::format("{}", pair.ab),
                                      fmt::format("{}", pair.ba),
                                      cell_of(pair.probability()),
                                      together ? std::to_string(group[pair.a]) : ""};
    const Decision* const decision = decision_of(shown, pair);
    cells.emplace_back(decision == nullptr ? "" : to_string(decision->verdict));
    cells.push_back(decision == nullptr ? "" : decision->note);
    add_source(cells, shown.sources[pair.a]);
    add_source(cells, shown.sources[pair.b]);
    out << csv_line(cells);
  }
}

void write_decisions_csv(std::ostream& out, const Shown& shown) {
  out << csv_line({"id", "voice", "other_id", "other_voice", "decision", "note", "decided"});
  if (shown.decisions == nullptr) return;
  for (const Decision& one : shown.decisions->all()) {
    out << csv_line({one.a.id, std::to_string(one.a.voice + 1), one.b.id, std::to_string(one.b.voice + 1),
                     std::string(to_string(one.verdict)), one.note, one.at});
  }
}

void write_groups_csv(std::ostream& out, const Shown& shown) {
  out << csv_line({"group", "id", "voice", "partners", "members", "best_partner", "best_score", "best_probability",
                   "title", "composer", "library", "shelfmark", "year", "collection"});
  for (std::size_t g = 0; g < shown.grouping.groups.size(); ++g) {
    const Group& group = shown.grouping.groups[g];
    const std::vector<Evidence> all = evidence_of(shown, group);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::uint32_t m = group.members[i];
      const Evidence& evidence = all[i];
      std::vector<std::string> cells = {std::to_string(g + 1),
                                        shown.found.melodies[m].id,
                                        std::to_string(shown.found.melodies[m].voice + 1),
                                        std::to_string(evidence.partners),
                                        std::to_string(group.members.size()),
                                        shown.found.melodies[evidence.best].id,
                                        fmt::format("{}", evidence.score),
                                        cell_of(evidence.probability)};
      add_source(cells, shown.sources[m]);
      cells.emplace_back(shown.found.melodies[m].second ? "2" : "1");
      out << csv_line(cells);
    }
  }
}

void write_json(std::ostream& out, const Shown& shown) {
  using nlohmann::ordered_json;
  ordered_json melodies = ordered_json::array();
  for (std::size_t i = 0; i < shown.found.melodies.size(); ++i) {
    const MelodyRef& melody = shown.found.melodies[i];
    const Metadata& m = shown.sources[i].metadata;
    melodies.push_back({{"id", melody.id},
                        {"voice", melody.voice},
                        {"second", melody.second},
                        {"title", m.title},
                        {"composer", m.composer},
                        {"library", m.library},
                        {"shelfmark", m.shelfmark},
                        {"year", m.year}});
  }
  ordered_json pairs = ordered_json::array();
  for (const Pair& pair : shown.found.pairs) {
    const Decision* const decision = decision_of(shown, pair);
    pairs.push_back({{"a", pair.a},
                     {"b", pair.b},
                     {"relation", to_string(pair.relation)},
                     {"score", pair.score()},
                     {"score_of_b", pair.ab},
                     {"score_of_a", pair.ba},
                     {"probability", json_of(pair.probability())},
                     {"probability_of_b", json_of(pair.ab_probability)},
                     {"probability_of_a", json_of(pair.ba_probability)},
                     {"decision", decision == nullptr ? ordered_json() : ordered_json(to_string(decision->verdict))},
                     {"note", decision == nullptr ? "" : decision->note}});
  }
  ordered_json groups = ordered_json::array();
  for (const Group& group : shown.grouping.groups) {
    ordered_json evidence = ordered_json::array();
    for (const Evidence& one : evidence_of(shown, group)) {
      evidence.push_back({{"partners", one.partners},
                          {"best", one.best},
                          {"score", one.score},
                          {"probability", json_of(one.probability)}});
    }
    groups.push_back({{"members", group.members},
                      {"evidence", evidence},
                      {"pairs", group.pairs},
                      {"centre", group.centre},
                      {"mean", group.mean},
                      {"probability", json_of(group.probability)}});
  }
  const ordered_json all = {{"system", shown.options.system},
                            {"settings", shown.options.settings},
                            {"least_score", shown.options.least_score},
                            {"least_probability", json_of(shown.options.least_probability)},
                            {"either", shown.options.either},
                            {"least_notes", shown.options.least_notes},
                            {"compared", shown.found.compared},
                            {"distinct", shown.found.distinct},
                            {"too_short", shown.found.too_short},
                            {"last_voice", shown.found.last_voice},
                            {"melodies", melodies},
                            {"pairs", pairs},
                            {"groups", groups},
                            {"links", shown.grouping.links}};
  out << all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

void write_turtle(std::ostream& out, const Shown& shown) {
  out << "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n@prefix schema: <https://schema.org/> .\n"
         "@prefix dcterms: <http://purl.org/dc/terms/> .\n\n";
  const auto& melodies = shown.found.melodies;
  for (std::size_t i = 0; i < melodies.size(); ++i) {
    const Metadata& m = shown.sources[i].metadata;
    out << "<" << address_of(melodies[i], shown.sources[i]) << "> a schema:MusicComposition ;\n  schema:identifier "
        << turtle_text(melodies[i].id);
    if (!m.title.empty()) out << " ;\n  schema:name " << turtle_text(m.title);
    if (!m.composer.empty()) {
      out << " ;\n  schema:composer [ a schema:Person ; schema:name " << turtle_text(m.composer) << " ]";
    }
    if (!m.year.empty()) out << " ;\n  schema:temporal " << turtle_text(m.year);
    out << " .\n";
  }
  // A statement about a melody, and how sure it is.
  const auto state = [&](const std::string& subject, std::string_view relation, const std::string& object, double score,
                         const std::optional<double>& probability) {
    out << "<" << subject << "> " << relation << " <" << object << "> .\n[] a rdf:Statement ; rdf:subject <" << subject
        << "> ; rdf:predicate " << relation << " ; rdf:object <" << object
        << "> ;\n  schema:additionalProperty [ a schema:PropertyValue ; schema:name "
        << fmt::format("\"score\" ; schema:value {:.6f} ]", score);
    if (probability) {
      out << ",\n  [ a schema:PropertyValue ; schema:name \"probability\" ; schema:value "
          << fmt::format("{:.6f} ]", *probability);
    }
    out << " .\n";
  };
  for (const Group& group : shown.grouping.groups) {
    const std::string tune = urn_of("tune", melodies[group.centre]);
    out << "<" << tune << "> a schema:MusicComposition .\n";
    const std::vector<Evidence> evidence = evidence_of(shown, group);
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const std::uint32_t m = group.members[i];
      if (is_rejected(shown, {std::min(m, group.centre), std::max(m, group.centre)})) continue;
      state(address_of(melodies[m], shown.sources[m]), "schema:exampleOfWork", tune, evidence[i].score,
            evidence[i].probability);
    }
  }
  for (const std::uint32_t p : shown.grouping.links) {
    const Pair& pair = shown.found.pairs[p];
    if (is_rejected(shown, pair)) continue;
    const bool parts = pair.relation == Relation::part || pair.relation == Relation::whole;
    const auto [from, to] = pair.relation == Relation::whole ? std::pair(pair.b, pair.a) : std::pair(pair.a, pair.b);
    state(address_of(melodies[from], shown.sources[from]), parts ? "schema:isPartOf" : "dcterms:relation",
          address_of(melodies[to], shown.sources[to]), pair.score(), pair.probability());
  }
}

void write_marcxml(std::ostream& out, const Shown& shown) {
  const auto& melodies = shown.found.melodies;
  // By piece its partners, each by the voices of the two that are most alike. Between two collections the records are
  // those of the first.
  struct Link {
    std::uint32_t other = 0;
    const Pair* pair = nullptr;
    Relation relation = Relation::variant;
  };
  std::map<std::string, std::map<std::pair<bool, std::string>, Link>> links;
  for (const Pair& pair : shown.found.pairs) {
    if (is_rejected(shown, pair)) continue;
    for (const bool turn : {false, true}) {
      const std::uint32_t own = turn ? pair.b : pair.a;
      const std::uint32_t other = turn ? pair.a : pair.b;
      if (melodies[own].second) continue;
      Link& link = links[melodies[own].id][{melodies[other].second, melodies[other].id}];
      if (link.pair != nullptr && link.pair->score() >= pair.score()) continue;
      link = {other, &pair, turn ? turned(pair.relation) : pair.relation};
    }
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n";
  const auto field = [&](char code, std::string_view text) {
    if (!text.empty()) out << "<subfield code=\"" << code << "\">" << escaped(text) << "</subfield>";
  };
  for (const auto& [id, partners] : links) {
    out << "<record><leader>00000cc  a2200000 u 4500</leader><controlfield tag=\"001\">" << escaped(id)
        << "</controlfield>\n";
    for (const auto& [unused, link] : partners) {
      const Metadata& m = shown.sources[link.other].metadata;
      out << "<datafield tag=\"787\" ind1=\"0\" ind2=\"8\">";
      const auto probability = link.pair->probability();
      field('i', fmt::format("Concordance ({}, score {:.3f}{}{})", to_string(link.relation), link.pair->score(),
                             probability ? fmt::format(", probability {:.2f}", *probability) : "",
                             decision_of(shown, *link.pair) != nullptr ? ", accepted" : ""));
      field('a', m.composer);
      field('t', m.title);
      field('w', melodies[link.other].id);
      out << "</datafield>\n";
      if (m.uri.empty()) continue;
      out << "<datafield tag=\"856\" ind1=\"4\" ind2=\"2\">";
      field('u', m.uri);
      field('3', "Concordance");
      out << "</datafield>\n";
    }
    out << "</record>\n";
  }
  out << "</collection>\n";
}

}  // namespace rondo::concordances
