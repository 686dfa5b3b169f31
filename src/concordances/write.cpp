#include "concordances/write.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/csv.h"
#include "concordances/markup.h"

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

/// An address for a melody: its own, or a name that is valid in Turtle.
std::string address_of(const MelodyRef& melody, const Source& source) {
  if (!source.metadata.uri.empty() && source.metadata.uri.find_first_of(" <>\"{}|\\^`") == std::string::npos) {
    return source.metadata.uri + (melody.voice == 0 ? "" : fmt::format("#voice{}", melody.voice + 1));
  }
  std::string out = melody.second ? "urn:rondo:second:" : "urn:rondo:melody:";
  for (const char c : melody.id) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                       std::string_view("-._").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out + fmt::format(":{}", melody.voice + 1);
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

Result<std::vector<Source>> read_sources(const Concordances& found, Collection& collection, Collection* against) {
  std::vector<Source> out;
  out.reserve(found.melodies.size());
  for (const MelodyRef& melody : found.melodies) {
    auto piece = (melody.second ? *against : collection).get(melody.piece);
    if (!piece) return fail(piece.error());
    if (melody.voice >= piece->voices.size()) {
      return fail("voice-missing", fmt::format("{} has no voice {}", melody.id, melody.voice + 1));
    }
    out.push_back({std::move(piece->metadata), std::move(piece->voices[melody.voice])});
  }
  return out;
}

void write_pairs_csv(std::ostream& out, const Shown& shown) {
  out << csv_line({"id", "voice", "other_id", "other_voice", "relation", "score", "score_of_other", "score_of_this",
                   "group", "title", "composer", "library", "shelfmark", "year", "other_title", "other_composer",
                   "other_library", "other_shelfmark", "other_year"});
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
                                      together ? std::to_string(group[pair.a]) : ""};
    add_source(cells, shown.sources[pair.a]);
    add_source(cells, shown.sources[pair.b]);
    out << csv_line(cells);
  }
}

void write_groups_csv(std::ostream& out, const Shown& shown) {
  out << csv_line({"group", "id", "voice", "partners", "members", "best_partner", "best_score", "title", "composer",
                   "library", "shelfmark", "year"});
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
                                        fmt::format("{}", evidence.score)};
      add_source(cells, shown.sources[m]);
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
    pairs.push_back({{"a", pair.a},
                     {"b", pair.b},
                     {"relation", to_string(pair.relation)},
                     {"score", pair.score()},
                     {"score_of_b", pair.ab},
                     {"score_of_a", pair.ba}});
  }
  ordered_json groups = ordered_json::array();
  for (const Group& group : shown.grouping.groups) {
    groups.push_back(
        {{"members", group.members}, {"pairs", group.pairs}, {"centre", group.centre}, {"mean", group.mean}});
  }
  const ordered_json all = {{"system", shown.options.system},
                            {"settings", shown.options.settings},
                            {"least_score", shown.options.least_score},
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
  out << "@prefix schema: <https://schema.org/> .\n\n";
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
  for (const Group& group : shown.grouping.groups) {
    for (const std::uint32_t m : group.members) {
      if (m == group.centre) continue;
      out << "<" << address_of(melodies[m], shown.sources[m]) << "> schema:isBasedOn <"
          << address_of(melodies[group.centre], shown.sources[group.centre]) << "> .\n";
    }
  }
  for (const std::uint32_t p : shown.grouping.links) {
    const Pair& pair = shown.found.pairs[p];
    const bool first_in_second = pair.relation == Relation::part;
    const bool parts = first_in_second || pair.relation == Relation::whole;
    const std::uint32_t a = pair.relation == Relation::whole ? pair.b : pair.a;
    const std::uint32_t b = pair.relation == Relation::whole ? pair.a : pair.b;
    out << "<" << address_of(melodies[a], shown.sources[a]) << "> schema:" << (parts ? "isPartOf" : "isRelatedTo")
        << " <" << address_of(melodies[b], shown.sources[b]) << "> .\n";
  }
}

void write_marcxml(std::ostream& out, const Shown& shown) {
  std::map<std::string, std::map<std::uint32_t, const Pair*>> links;  // by id of a piece, its partners
  for (const Pair& pair : shown.found.pairs) {
    links[shown.found.melodies[pair.a].id].try_emplace(pair.b, &pair);
    links[shown.found.melodies[pair.b].id].try_emplace(pair.a, &pair);
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n";
  const auto field = [&](char code, std::string_view text) {
    if (!text.empty()) out << "<subfield code=\"" << code << "\">" << escaped(text) << "</subfield>";
  };
  for (const auto& [id, partners] : links) {
    out << "<record><leader>00000cc  a2200000 u 4500</leader><controlfield tag=\"001\">" << escaped(id)
        << "</controlfield>\n";
    for (const auto& [other, pair] : partners) {
      const Metadata& m = shown.sources[other].metadata;
      out << "<datafield tag=\"787\" ind1=\"0\" ind2=\"8\">";
      field('i', fmt::format("Concordance ({}, score {:.3f})", to_string(pair->relation), pair->score()));
      field('a', m.composer);
      field('t', m.title);
      field('w', shown.found.melodies[other].id);
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
