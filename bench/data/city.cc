#include "bench/data/city.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tacit::gnn {

namespace {

constexpr double kSquareMetresPerStation = 480'000;  // 300 stations in 12 km × 12 km
constexpr int kResidential = 6, kIndustrial = 2;

std::int64_t whole(double metres) { return static_cast<std::int64_t>(std::floor(metres + 0.5)); }

Spot at(double x, double y) { return {whole(x), whole(y)}; }

// Draws in a fixed order: the compiler chooses the order of a function's arguments.
Spot anywhere(double low, double high, RandomSource& random) {
  const double x = random.uniform(low, high), y = random.uniform(low, high);
  return at(x, y);
}

// A ring with an axis through it each way: roads of every old town.
std::vector<Road> make_roads(double side, RandomSource& random) {
  const double middle = side / 2, ring = 0.28 * side, corner = 0.7071 * ring;
  const double west = random.uniform(0.4, 0.6) * side, east = random.uniform(0.4, 0.6) * side;
  const double south = random.uniform(0.4, 0.6) * side, north = random.uniform(0.4, 0.6) * side;
  std::vector<Road> roads = {{at(0, west), at(middle, middle), 1},
                             {at(middle, middle), at(side, east), 1},
                             {at(south, 0), at(middle, middle), 1},
                             {at(middle, middle), at(north, side), 1}};
  const std::array<Spot, 8> corners = {at(middle + ring, middle), at(middle + corner, middle + corner),
                                       at(middle, middle + ring), at(middle - corner, middle + corner),
                                       at(middle - ring, middle), at(middle - corner, middle - corner),
                                       at(middle, middle - ring), at(middle + corner, middle - corner)};
  for (std::size_t i = 0; i < corners.size(); ++i) roads.push_back({corners[i], corners[(i + 1) % corners.size()], 1});
  for (Road& road : roads) road.load = random.uniform(0.6, 1.4);
  return roads;
}

std::vector<District> make_districts(double side, RandomSource& random) {
  std::vector<District> districts = {{at(side / 2, side / 2), 0.12 * side, 18, false}};
  for (int i = 0; i < kResidential + kIndustrial; ++i) {
    const bool industrial = i >= kResidential;
    const Spot centre = anywhere(0.1 * side, 0.9 * side, random);
    const double radius = random.uniform(0.08, 0.14) * side;
    districts.push_back({centre, radius, industrial ? random.uniform(35, 60) : random.uniform(8, 20), industrial});
  }
  return districts;
}

// Most stations stand in a district, with more stations towards its middle; the others stand anywhere.
Spot make_station(const City& city, RandomSource& random) {
  const auto side = static_cast<double>(city.side);
  if (random.chance(0.3)) return anywhere(0, side, random);
  const District& district =
      city.districts[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(city.districts.size())))];
  for (;;) {
    const double east = district.radius * random.normal(), north = district.radius * random.normal();
    const Spot place = {district.centre.x + whole(east), district.centre.y + whole(north)};
    if (std::min(place.x, place.y) >= 0 && std::max(place.x, place.y) <= city.side) return place;
  }
}

}  // namespace

double nearness(double distance, double half_way) { return 1 / (1 + (distance / half_way) * (distance / half_way)); }

double distance_between(const Spot& a, const Spot& b) {
  const auto dx = static_cast<double>(a.x - b.x), dy = static_cast<double>(a.y - b.y);
  return std::sqrt(dx * dx + dy * dy);
}

double Road::distance(const Spot& place) const {
  const auto along_x = static_cast<double>(to.x - from.x), along_y = static_cast<double>(to.y - from.y);
  const auto x = static_cast<double>(place.x - from.x), y = static_cast<double>(place.y - from.y);
  const double length_squared = std::max(1.0, along_x * along_x + along_y * along_y);
  const double part = std::clamp((x * along_x + y * along_y) / length_squared, 0.0, 1.0);
  const double dx = x - part * along_x, dy = y - part * along_y;
  return std::sqrt(dx * dx + dy * dy);
}

double City::near_road(const Spot& place, double half_way, bool loaded) const {
  double most = 0;
  for (const Road& road : roads) {
    most = std::max(most, nearness(road.distance(place), half_way) * (loaded ? road.load : 1.0));
  }
  return most;
}

City make_city(std::int64_t stations, RandomSource& random) {
  City city;
  city.side = whole(std::sqrt(kSquareMetresPerStation * static_cast<double>(stations)));
  city.roads = make_roads(static_cast<double>(city.side), random);
  city.districts = make_districts(static_cast<double>(city.side), random);
  for (std::int64_t i = 0; i < stations; ++i) city.stations.push_back(make_station(city, random));
  return city;
}

}  // namespace tacit::gnn
