#include "similarity/transport.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/interrupt.h"

namespace rondo {
namespace {

__extension__ using Wide = __int128;

}  // namespace

void Transport::reset(std::span<const std::int64_t> supplies, std::span<const std::int64_t> demands) {
  rows_ = supplies.size();
  columns_ = demands.size();
  amounts_.assign(supplies.begin(), supplies.end());
  amounts_.insert(amounts_.end(), demands.begin(), demands.end());
  costs_.assign(rows_ * columns_, 0);
  const std::int64_t supply = std::accumulate(supplies.begin(), supplies.end(), std::int64_t{0});
  const std::int64_t demand = std::accumulate(demands.begin(), demands.end(), std::int64_t{0});
  // The root absorbs the surplus, or supplies the deficit, at no cost. Any other path through it must cost more than
  // the longest path without it.
  const auto prohibitive = static_cast<std::int64_t>(rows_ + columns_ + 1) * kHighestCost;
  root_from_supply_ = supply > demand ? 0 : prohibitive;
  root_to_demand_ = demand > supply ? 0 : prohibitive;
  plant_star();
}

/// Initial tree: everything flows through the root; feasible, and every arc carries flow.
void Transport::plant_star() {
  const std::size_t nodes = rows_ + columns_ + 1;
  parent_.assign(nodes, kNone);
  first_child_.assign(nodes, kNone);
  next_.assign(nodes, kNone);
  previous_.assign(nodes, kNone);
  depth_.assign(nodes, 0);
  price_.assign(nodes, 0);
  flow_ = amounts_;
  flow_.push_back(0);
  for (Node node = 0; node < root(); ++node) {
    attach(node, root());
    depth_[node] = 1;
    price_[node] = arc_cost(node, root());
  }
  next_row_ = 0;
}

std::int64_t Transport::arc_cost(Node child, Node parent) const {
  if (parent == root()) return is_supply(child) ? root_from_supply_ : root_to_demand_;
  return is_supply(child) ? costs_[child * columns_ + (parent - rows_)] : costs_[parent * columns_ + (child - rows_)];
}

void Transport::attach(Node child, Node parent) {
  parent_[child] = parent;
  previous_[child] = kNone;
  next_[child] = first_child_[parent];
  if (next_[child] != kNone) previous_[next_[child]] = child;
  first_child_[parent] = child;
}

void Transport::detach(Node child) {
  if (previous_[child] != kNone) {
    next_[previous_[child]] = next_[child];
  } else {
    first_child_[parent_[child]] = next_[child];
  }
  if (next_[child] != kNone) previous_[next_[child]] = previous_[child];
}

/// Computes depths and dual prices of a subtree from those of its parent.
void Transport::price(Node top) {
  stack_.assign(1, top);
  while (!stack_.empty()) {
    const Node node = stack_.back();
    stack_.pop_back();
    if (node != root()) {
      const Node parent = parent_[node];
      depth_[node] = depth_[parent] + 1;
      price_[node] = arc_cost(node, parent) - price_[parent];
    }
    for (Node child = first_child_[node]; child != kNone; child = next_[child]) stack_.push_back(child);
  }
}

/// The entering arc: starting where the last search ended, the best arc of the first row that has one with negative
/// reduced cost. The root counts as a demand or a supply if its arcs are free.
bool Transport::find_entering(Node& supply, Node& demand) {
  const std::size_t all = rows_ + (root_to_demand_ == 0 ? 1 : 0);
  for (std::size_t tried = 0; tried < all; ++tried) {
    const std::size_t row = next_row_;
    next_row_ = row + 1 == all ? 0 : row + 1;
    const std::size_t found = row == rows_ ? best_from_root() : best_in_row(row);
    if (found > columns_) continue;
    supply = static_cast<Node>(row == rows_ ? root() : row);
    demand = static_cast<Node>(rows_ + found);
    return true;
  }
  return false;
}

/// The best column of a row: `columns_` means the root, a larger number that no arc improves. An arc improves if its
/// cost minus the demand's price is less than the supply's price.
std::size_t Transport::best_in_row(std::size_t row) const {
  const std::int64_t* cost = &costs_[row * columns_];
  const std::int64_t* prices = &price_[rows_];
  std::int64_t least = price_[row];
  std::size_t found = columns_ + 1;
  for (std::size_t j = 0; j < columns_; ++j) {
    const std::int64_t reduced = cost[j] - prices[j];
    if (reduced < least) {
      least = reduced;
      found = j;
    }
  }
  return root_from_supply_ == 0 && least > 0 ? columns_ : found;
}

std::size_t Transport::best_from_root() const {
  const auto dearest = std::max_element(price_.begin() + static_cast<std::ptrdiff_t>(rows_), price_.end() - 1);
  if (*dearest <= 0) return columns_ + 1;
  return static_cast<std::size_t>(dearest - price_.begin()) - rows_;
}

/// Sends as much flow as possible around the cycle that the new arc closes, and drops the arc whose flow first becomes
/// zero. Of several the last one is dropped, in the direction of the new arc from the top of the cycle: this keeps the
/// tree strongly feasible.
void Transport::pivot(Node supply, Node demand) {
  Node top = supply;
  Node other = demand;
  while (top != other) {
    Node& deeper = depth_[top] >= depth_[other] ? top : other;
    deeper = parent_[deeper];
  }

  // The cycle runs from the top down to the supply, over the new arc, and from the demand up to the top. Flow decreases
  // on arcs against its direction: those of supplies on the way down, those of demands on the way up.
  std::int64_t amount = std::numeric_limits<std::int64_t>::max();
  Node leaving = kNone;
  bool leaves_on_supply_side = true;
  for (Node node = supply; node != top; node = parent_[node]) {
    if (is_supply(node) && flow_[node] < amount) {
      amount = flow_[node];
      leaving = node;
    }
  }
  for (Node node = demand; node != top; node = parent_[node]) {
    if (!is_supply(node) && flow_[node] <= amount) {
      amount = flow_[node];
      leaving = node;
      leaves_on_supply_side = false;
    }
  }
  for (Node node = supply; node != top; node = parent_[node]) flow_[node] += is_supply(node) ? -amount : amount;
  for (Node node = demand; node != top; node = parent_[node]) flow_[node] += is_supply(node) ? amount : -amount;

  if (leaves_on_supply_side) {
    hang(supply, demand, amount, leaving);
    price(supply);
  } else {
    hang(demand, supply, amount, leaving);
    price(demand);
  }
}

/// Reroots the subtree that was cut at `stop`: reverses the path from `child` up to `stop` and attaches `child` to
/// `parent`.
void Transport::hang(Node child, Node parent, std::int64_t flow, Node stop) {
  for (;;) {
    const Node old_parent = parent_[child];
    const std::int64_t old_flow = flow_[child];
    detach(child);
    attach(child, parent);
    flow_[child] = flow;
    if (child == stop) return;
    parent = child;
    child = old_parent;
    flow = old_flow;
  }
}

double Transport::solve() {
  price(root());
  Node supply = 0;
  Node demand = 0;
  constexpr std::size_t kPivots = 64;  // between two interrupt checks
  for (std::size_t i = 1; find_entering(supply, demand); ++i) {
    pivot(supply, demand);
    if (i % kPivots == 0 && interrupted()) break;
  }
  Wide total = 0;
  for (Node node = 0; node < root(); ++node) {
    if (parent_[node] != root()) total += Wide{flow_[node]} * arc_cost(node, parent_[node]);
  }
  return static_cast<double>(total);
}

/// Weak duality: the current prices of supplies, and for each demand the highest feasible price. If the supplies are in
/// surplus, their prices are not positive already; if the demands are, theirs must be made so.
double Transport::lower_bound() const {
  Wide total = 0;
  for (std::size_t i = 0; i < rows_; ++i) total += Wide{amounts_[i]} * price_[i];
  for (std::size_t j = 0; j < columns_; ++j) {
    std::int64_t price = root_to_demand_ == 0 ? 0 : std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < rows_; ++i) price = std::min(price, costs_[i * columns_ + j] - price_[i]);
    total += Wide{amounts_[rows_ + j]} * price;
  }
  return static_cast<double>(total);
}

std::vector<Shipment> Transport::shipments() const {
  std::vector<Shipment> out;
  for (Node node = 0; node < root(); ++node) {
    const Node parent = parent_[node];
    if (parent == root() || flow_[node] == 0) continue;
    const Node from = is_supply(node) ? node : parent;
    const Node to = is_supply(node) ? parent : node;
    out.push_back({from, static_cast<std::uint32_t>(to - rows_), flow_[node]});
  }
  std::sort(out.begin(), out.end(),
            [](const Shipment& a, const Shipment& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  return out;
}

}  // namespace rondo
