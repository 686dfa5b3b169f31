#include "search/fast/method.h"

namespace rondo::fast {
namespace {

constexpr std::string_view kExhaustive = "exhaustive";

/// How results name the method of a plan.
struct NameOf {
  std::string_view operator()(const ExhaustivePlan&) const { return kExhaustive; }
  std::string_view operator()(const WindowPlan&) const { return "windows"; }
  std::string_view operator()(const EditPlan&) const { return "edits"; }
  std::string_view operator()(const PitchEditPlan&) const { return "pitch edits"; }
  std::string_view operator()(const SharedIntervalsPlan&) const { return "shared intervals"; }
  std::string_view operator()(const GeometricPlan&) const { return "geometric"; }
  std::string_view operator()(const TransportPlan&) const { return "transport"; }
  std::string_view operator()(const GarPlan&) const { return "GAR"; }
  std::string_view operator()(const GamPlan&) const { return "GAM"; }
  std::string_view operator()(const PioiPlan&) const { return "pioi"; }
  std::string_view operator()(const Opti3Plan&) const { return "opti3"; }
  std::string_view operator()(const KranenburgPlan&) const { return "Kranenburg"; }
  std::string_view operator()(const MongeauSankoffPlan&) const { return "Mongeau-Sankoff"; }
  std::string_view operator()(const OrioPlan&) const { return "Orio"; }
  std::string_view operator()(const PatternPlan&) const { return "pattern"; }
  std::string_view operator()(const RondoPlan&) const { return "rondo"; }
};

}  // namespace

ChosenMethod choose_method(const SystemRow& row, const System& system, const Line& query) {
  const SearchPlan plan = system.plan();
  if (query.size() >= row.shortest && !std::holds_alternative<ExhaustivePlan>(plan)) {
    // No plan knows melodies without notes.
    const Task task{query, std::max<std::size_t>(1, row.shortest), row.zero_is_none};
    auto method = std::visit([&](const auto& known) { return make_method(known, task); }, plan);
    if (method) return {std::visit(NameOf{}, plan), std::move(method)};
  }
  return exhaustive_method(row, query);
}

ChosenMethod choose_method_for_few(const SystemRow& row, const System& system, const Line& query) {
  const bool faster = std::holds_alternative<RondoPlan>(system.plan());
  return faster ? choose_method(row, system, query) : exhaustive_method(row, query);
}

ChosenMethod exhaustive_method(const SystemRow& row, const Line& query) {
  return {kExhaustive, make_method(ExhaustivePlan{}, {query, row.shortest, row.zero_is_none})};
}

}  // namespace rondo::fast
