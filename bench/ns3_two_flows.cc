// Two bulk TCP flows through one 8 Mbit/s bottleneck with a 100 ms RTT, in ns-3:
// what bench/ns3.py times beside the lab.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <iostream>

using namespace ns3;

int main(int argc, char** argv)
{
    double filmSeconds = 180;
    CommandLine cmd(__FILE__);
    cmd.AddValue("seconds", "simulated time", filmSeconds);
    cmd.Parse(argc, argv);

    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpCubic"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4 << 20));

    NodeContainer nodes;
    nodes.Create(5); // server, gateway, home switch, two clients
    InternetStackHelper().Install(nodes);

    PointToPointHelper wan;
    wan.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    wan.SetChannelAttribute("Delay", StringValue("50ms"));
    PointToPointHelper bottleneck;
    bottleneck.SetDeviceAttribute("DataRate", StringValue("8Mbps"));
    bottleneck.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("67p"));
    PointToPointHelper port;
    port.SetDeviceAttribute("DataRate", StringValue("1Gbps"));

    Ipv4AddressHelper addresses;
    addresses.SetBase("10.0.1.0", "255.255.255.0");
    addresses.Assign(wan.Install(nodes.Get(0), nodes.Get(1)));
    addresses.NewNetwork();
    addresses.Assign(bottleneck.Install(nodes.Get(1), nodes.Get(2)));
    for (uint32_t client = 0; client < 2; ++client)
    {
        addresses.NewNetwork();
        auto client_addresses = addresses.Assign(port.Install(nodes.Get(2), nodes.Get(3 + client)));
        PacketSinkHelper sink("ns3::TcpSocketFactory",
                              InetSocketAddress(Ipv4Address::GetAny(), 5000));
        sink.Install(nodes.Get(3 + client)).Start(Seconds(0));
        BulkSendHelper bulk("ns3::TcpSocketFactory",
                            InetSocketAddress(client_addresses.GetAddress(1), 5000));
        bulk.SetAttribute("MaxBytes", UintegerValue(0));
        bulk.Install(nodes.Get(0)).Start(Seconds(0));
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    Simulator::Stop(Seconds(filmSeconds));
    Simulator::Run();
    uint64_t received = 0;
    for (uint32_t client = 0; client < 2; ++client)
    {
        auto sink = DynamicCast<PacketSink>(nodes.Get(3 + client)->GetApplication(0));
        received += sink->GetTotalRx();
    }
    Simulator::Destroy();
    std::cout << received * 8 / filmSeconds << std::endl;
    return 0;
}
