#include "rondo/evaluation/truth.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "evaluation/labels.h"
#include "rondo/store/collection.h"

namespace rondo::cli {
namespace {

namespace ev = rondo::evaluation;

struct TruthArguments {
  std::string db;
  std::string field;
  std::string file;
  bool qrels = false;
  std::string form = "groups";
};

int print_truth(const ev::Truth& truth, const std::string& form) {
  const ev::TruthForm as = form == "json"    ? ev::TruthForm::kJson
                           : form == "qrels" ? ev::TruthForm::kQrels
                                             : ev::TruthForm::kGroups;
  auto text = ev::write_truth(truth, as);
  if (!text) return report(text.error());
  write_to(stdout, *text);
  return kSuccess;
}

/// A field of the record by the name people use; the standard ones have their own.
std::string label_of(const Piece& piece, const std::string& field) {
  const Metadata& m = piece.metadata;
  if (field == "title") return m.title;
  if (field == "composer") return m.composer;
  if (field == "source") return m.source;
  return std::string(m.field(field));
}

int from_labels(const TruthArguments& options) {
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  std::vector<ev::LabelledDocument> documents;
  auto read = collection->each_piece(
      [&](const StoredPiece& stored) {
        // A record without notes cannot be found by its melody, nor be looked for.
        if (!stored.piece.voices.empty()) documents.push_back({stored.piece.id, label_of(stored.piece, options.field)});
        return true;
      },
      false);
  if (!read) return report(read.error());
  auto truth = ev::truth_from_labels(documents);
  if (!truth) return report(truth.error());
  print_to(stderr, "{} queries; {} melodies are the only ones with their {}, {} have none\n",
           grouped(truth->truth.queries.size()), grouped(truth->alone), options.field, grouped(truth->unlabelled));
  return print_truth(truth->truth, options.form);
}

int show(const TruthArguments& options) {
  auto truth = load_truth(options.file, options.qrels);
  if (!truth) return report(truth.error());
  Table table({{"query", Table::Align::left, true},
               {"groups", Table::Align::right},
               {"relevant", Table::Align::right},
               {"not relevant", Table::Align::right},
               {"sizes of the groups", Table::Align::left, true}});
  for (const ev::QueryTruth& query : truth->queries) {
    std::string sizes;
    for (const auto& group : query.groups) sizes += (sizes.empty() ? "" : " ") + std::to_string(group.size());
    table.row({query.query, std::to_string(query.groups.size()), std::to_string(query.relevant_count()),
               std::to_string(query.not_relevant.size()), sizes});
  }
  table.print(stdout);
  return kSuccess;
}

}  // namespace

Action define_truth(CLI::App& app) {
  auto options = std::make_shared<TruthArguments>();
  auto chosen = std::make_shared<int (*)(const TruthArguments&)>(nullptr);
  const auto form = [options](CLI::App* sub) {
    sub->add_option("--as", options->form, "groups, qrels or json")
        ->check(CLI::IsMember({"groups", "qrels", "json"}))
        ->capture_default_str();
  };
  auto* labels = app.add_subcommand(
      "from-labels", "make a truth in which melodies with the same value of a field are relevant to each other");
  add_db(*labels, options->db);
  labels->add_option("--field", options->field, "the field, such as family")->required();
  form(labels);
  labels->callback([chosen] { *chosen = from_labels; });

  auto* convert = app.add_subcommand("convert", "convert a truth into another format");
  convert->add_option("file", options->file, "the truth")->required();
  convert->add_flag("--qrels", options->qrels, "it is a TREC file of relevance grades");
  form(convert);
  convert->callback([chosen] {
    *chosen = [](const TruthArguments& o) {
      auto truth = load_truth(o.file, o.qrels);
      return truth ? print_truth(*truth, o.form) : report(truth.error());
    };
  });

  auto* shown = app.add_subcommand("show", "show the content of a truth, query by query");
  shown->add_option("file", options->file, "the truth")->required();
  shown->add_flag("--qrels", options->qrels, "it is a TREC file of relevance grades");
  shown->callback([chosen] { *chosen = show; });

  auto* built = app.add_subcommand("build", "make a truth from the rankings of a study or a table of votes");
  const Action build = define_truth_build(*built);
  app.require_subcommand(1);
  return [options, chosen, built, build] { return built->parsed() ? build() : (*chosen)(*options); };
}

}  // namespace rondo::cli
